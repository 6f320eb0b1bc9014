// The same for third-party skills, which are not part of the repository; without them the test is skipped.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { buildSkill } from '../src/make/compile/build-skill.ts';
import { openIndex } from '../src/read/index/open-index.ts';
import { wholeReach } from '../src/skill/judge/reach.ts';
import { makeDirectory } from './make-directory.ts';
import { replaySkill } from './replay-skill.ts';

const archive = fileURLToPath(new URL('../../../../shared/data/real-skills-whole.tar.gz', import.meta.url));

test('every line of every stub and outline of real skills leads where it says', (context) => {
  if (!existsSync(archive)) context.skip('shared/data/real-skills-whole.tar.gz is not there');
  const root = makeDirectory({ real: { directory: true }, home: { directory: true } });
  spawnSync('tar', ['xzf', archive, '-C', join(root, 'real')]);
  const dirs = findSkills(join(root, 'real'));
  const problems: string[] = [];
  let compiled = 0;
  for (const dir of dirs.filter((_, index) => index % 2 === 0)) {
    const base = { dir: join(root, 'runtime', String(compiled)), project: undefined };
    const options = { base, home: join(root, 'home'), tokenizer: 'porter', force: false } as const;
    const built = attemptBuild(() => buildSkill(dir, { ...options, now: new Date() }));
    // A skill that cannot be compiled has no stub.
    if (built === undefined) continue;
    compiled += 1;
    const indexDir = join(built.runtime_path, '.skillc');
    const index = openIndex({ skill: built.name, sourceDir: built.source_path, indexDir });
    const stub = readFileSync(join(built.runtime_path, 'SKILL.md'), 'utf8');
    const opened = {
      skill: built.name,
      dir: built.source_path,
      index,
      files: index.files(),
      reach: wholeReach,
    };
    problems.push(...replaySkill(opened, stub).map((problem) => `${dir.slice(root.length)}: ${problem}`));
    index.close();
  }
  expect(problems).toEqual([]);
  expect(compiled).toBeGreaterThan(650);
});

function attemptBuild<Built>(build: () => Built): Built | undefined {
  try {
    return build();
  } catch {
    return undefined;
  }
}

function findSkills(dir: string): string[] {
  const entries = readdirSync(dir, { withFileTypes: true });
  if (entries.some(({ name }) => name === 'SKILL.md')) return [dir];
  return entries.flatMap((entry) => (entry.isDirectory() ? findSkills(join(dir, entry.name)) : []));
}
