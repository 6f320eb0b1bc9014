// Time the sandbox adds to a script: a full `runScript` compared with the bare process.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { findProgram } from '../packages/skillwright/src/base/files/start-child.ts';
import { findInterpreter } from '../packages/skillwright/src/guard/execute/find-interpreter.ts';
import { limitsOf } from '../packages/skillwright/src/guard/execute/limits.ts';
import { openSandbox } from '../packages/skillwright/src/guard/execute/open-sandbox.ts';
import { runScript } from '../packages/skillwright/src/guard/execute/run-script.ts';
import { defaultConfig } from '../packages/skillwright/src/skill/config/default-config.ts';
import { type Figure, median } from './figure.ts';
import { inWorkplace, write } from './workplace.ts';

const RUNS = 40;
const MOST_MS = 25;

const scripts = { sh: ['hello.sh', 'echo hello\n'], python3: ['hello.py', 'print("hello")\n'] } as const;

/** Runs both kinds in turn, so that both see the same machine. Measures nothing without a sandbox. */
export function measureSandbox(): Promise<Figure[]> {
  return inWorkplace(async (directory) => {
    const { env } = process;
    if (findProgram('bwrap', env) === undefined) return [];
    const dir = join(directory, 'skill');
    write(join(dir, 'SKILL.md'), '---\nname: skill\ndescription: Use when measuring.\n---\n');
    for (const [name, text] of Object.values(scripts)) write(join(dir, 'scripts', name), text);
    const sandbox = await openSandbox({ env });
    const limits = limitsOf(defaultConfig);
    const figures: Figure[] = [];
    for (const [language, [script]] of Object.entries(scripts)) {
      if (findProgram(language, env) === undefined) continue;
      const [program, ...flags] = (await findInterpreter(script, env)).argv;
      const bare = async () => {
        const child = spawn(program, [...flags, join(dir, 'scripts', script)], { env: {}, cwd: dir });
        child.stdout.resume();
        await once(child, 'close');
      };
      const kept = async () => {
        const { ok, stderr } = await runScript(dir, script, { home: directory, env, sandbox, limits });
        if (!ok) throw new Error(`${script}: ${stderr}`);
      };
      const times: Record<'bare' | 'kept', number[]> = { bare: [], kept: [] };
      for (let round = 0; round < RUNS; round++)
        for (const [key, work] of [
          ['bare', bare],
          ['kept', kept],
        ] as const) {
          const start = performance.now();
          await work();
          times[key].push(performance.now() - start);
        }
      const value = median(times.kept) - median(times.bare);
      figures.push({
        name: `sandbox, added to a ${language} script`,
        value,
        unit: 'ms',
        baseline: { name: 'the bare process', value: median(times.bare) },
        target: { text: `under ${MOST_MS} ms`, met: value < MOST_MS },
      });
    }
    return figures;
  });
}
