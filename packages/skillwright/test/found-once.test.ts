// A run looks up the project, the frontmatter of a skill and the lock once. The executable counts.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtSkc, runProcess } from './built-package.ts';
import { makeSharedDirectory } from './make-directory.ts';

const skill = (name: string) =>
  `---\nname: ${name}\ndescription: Reports on ${name}\n---\n# ${name}\n\n## Steps\n\nCount rows.\n`;

/** A project with two skills, one of them built and one installed, and a skill that is neither. */
function makeProject() {
  const root = makeSharedDirectory({
    'project/.skillc/config.toml': '',
    'project/.claude/skills/plain/SKILL.md': skill('plain'),
    'project/mine/built/SKILL.md': skill('built'),
    'elsewhere/installed/SKILL.md': skill('installed'),
    'elsewhere/other/SKILL.md': skill('other'),
  });
  mkdirSync(join(root, 'home'));
  const run = (words: readonly string[]) =>
    runProcess(builtSkc, words, {
      cwd: join(root, 'project'),
      env: { SKC_HOME: join(root, 'home'), SKC_DEBUG: '1' },
    });
  expect(run(['build', './mine/built']).status).toBe(0);
  expect(run(['install', '../elsewhere/installed', '--yes']).status).toBe(0);
  return run;
}

/** How often the same fact of each kind was looked up. */
function countsOf(stderr: string): Record<string, number> {
  const lines = stderr.matchAll(/^debug: (\w+): \d+, the same one at most (\d+) times$/gm);
  return Object.fromEntries([...lines].map(([, kind, times]) => [kind, Number(times)]));
}

describe('one run finds out once', () => {
  const run = makeProject();
  const project = { project: 1 };
  const parsed = { project: 1, frontmatter: 1 };
  const locked = { project: 1, lock: 1 };
  const both = { project: 1, frontmatter: 1, lock: 1 };
  test.each<[words: string, counts: Record<string, number>]>([
    ['outline ./mine/built', parsed],
    ['outline plain', parsed],
    ['show built --section Steps', project],
    ['search built rows', project],
    ['open built SKILL.md', project],
    ['sources built', project],
    ['stats built', project],
    ['list', project],
    ['roots', parsed],
    ['skills', parsed],
    ['find rows', parsed],
    ['load plain', parsed],
    ['lint ./mine/built', parsed],
    ['validate ./mine/built', parsed],
    ['scan ./mine/built', parsed],
    ['report ./mine/built', both],
    ['build ./mine/built --force', parsed],
    ['install ../elsewhere/other --yes', both],
    ['verify', locked],
    ['update', both],
    ['doctor', both],
    ['uninstall installed', locked],
  ])('skc %s', (words, counts) => {
    const { status, stderr } = run(words.split(' '));
    expect({ words, status, counts: countsOf(stderr), stderr }).toMatchObject({ words, status: 0, counts });
  });
});
