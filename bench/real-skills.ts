// Compiles real skills: speed, and how much smaller the stub is than the skill.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { estimateTokens } from '../packages/skillwright/src/base/tokens/estimate-tokens.ts';
import type { Figure } from './figure.ts';
import { inWorkplace, repository, skc } from './workplace.ts';

/** Not part of the repository; without it nothing is measured. */
const archive = join(repository, '../shared/data/real-skills-md.tar.gz');

/** `skc build --all` over a collection, and the tokens of the stubs compared with those of the sources. */
export function measureRealSkills(): Promise<Figure[]> {
  if (!existsSync(archive)) return Promise.resolve([]);
  return inWorkplace((directory) => {
    spawnSync('tar', ['xzf', archive, '-C', directory]);
    const env = { PATH: process.env.PATH, SKC_HOME: join(directory, 'home') };
    const start = performance.now();
    const { stdout } = spawnSync(skc, ['build', '--all', '.', '--json'], {
      cwd: directory,
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const seconds = (performance.now() - start) / 1000;
    const { built } = JSON.parse(stdout) as { built: { source_path: string; runtime_path: string }[] };
    const tokens = (path: string) => estimateTokens(readFileSync(join(path, 'SKILL.md'), 'utf8'));
    const stub = built.reduce((sum, skill) => sum + tokens(skill.runtime_path), 0);
    const source = built.reduce((sum, skill) => sum + tokens(skill.source_path), 0);
    return [
      {
        name: `skc build --all, ${built.length} real skills`,
        value: built.length / seconds,
        unit: 'skills/s',
      },
      { name: 'tokens of the stubs / tokens of their SKILL.md', value: stub / source, unit: 'ratio' },
    ];
  });
}
