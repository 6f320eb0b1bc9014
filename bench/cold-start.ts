// Time of one short command, compared with an empty Node process.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { compare, type Figure, median } from './figure.ts';
import { inWorkplace, node, skc, smallSkill, write } from './workplace.ts';

const RUNS = 60;

/** Starts the installed `skc` and Node in turn, so that both see the same machine. */
export function measureColdStart(): Promise<Figure[]> {
  return inWorkplace((directory) => {
    const { name, text } = smallSkill(7);
    write(join(directory, '.skillc/skills', name, 'SKILL.md'), text);
    const run = (command: string, args: string[]): number => {
      const env = { PATH: process.env.PATH, SKC_HOME: join(directory, 'home') };
      const start = performance.now();
      const { status, stderr } = spawnSync(command, args, { cwd: directory, env });
      if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
      return performance.now() - start;
    };
    run(skc, ['build', name]);
    const commands = {
      version: ['--version'],
      show: ['show', name, '--section', 'Step 1'],
      search: ['search', name, 'note', 'difference'],
      outline: ['outline', name],
      help: ['--help'],
    };
    const times: Record<string, number[]> = { node: [] };
    for (let round = 0; round < RUNS; round++) {
      times.node!.push(run(node, ['-e', '0']));
      for (const [key, words] of Object.entries(commands)) {
        times[key] ??= [];
        times[key].push(run(skc, words));
      }
    }
    const baseline = { name: 'node -e 0', value: median(times.node!) };
    return [
      compare('skc --version, cold', median(times.version!), { ...baseline, atMost: 0.4 }),
      compare('skc show, cold', median(times.show!), { ...baseline, atMost: 0.6 }),
      compare('skc search, cold', median(times.search!), baseline),
      compare('skc outline, cold', median(times.outline!), { ...baseline, atMost: 0.8 }),
      compare('skc --help, cold', median(times.help!), baseline),
    ];
  });
}
