// How often a run may look up the project, the frontmatter of a skill and the lock. The executable counts, before any cache.

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
  // The catalog reads a skill in every root that leads to it. A skill that is used is opened once more, as it is then.
  const once = { project: 1, listed: 2, frontmatter: 1, lock: 1 };
  test.each<[words: string, counts: Record<string, number>]>([
    ['outline ./mine/built', once],
    ['outline plain', { ...once, frontmatter: 2 }],
    ['show built --section Steps', once],
    ['search built rows', once],
    ['open built SKILL.md', once],
    ['sources built', once],
    ['stats built', once],
    // Agents and the catalog search the same directories.
    ['list', { ...once, listed: 3 }],
    ['roots', once],
    ['skills', once],
    ['find rows', once],
    // A skill without an index: the access log finds the served sections in its text.
    ['load plain', { ...once, frontmatter: 3 }],
    ['lint ./mine/built', { ...once, frontmatter: 2 }],
    ['validate ./mine/built', { ...once, frontmatter: 2 }],
    ['scan ./mine/built', { ...once, frontmatter: 2 }],
    // As list does.
    ['report ./mine/built', { ...once, listed: 3, frontmatter: 5 }],
    ['build ./mine/built --force', { ...once, frontmatter: 2 }],
    ['install ../elsewhere/other --yes', { ...once, frontmatter: 2 }],
    ['verify', once],
    ['update', once],
    ['doctor', { ...once, listed: 3 }],
    ['uninstall installed', once],
  ])('skc %s', (words, most) => {
    const { status, stderr } = run(words.split(' '));
    const counts = countsOf(stderr);
    const tooMany = Object.keys(counts).filter((kind) => counts[kind]! > (most[kind] ?? 0));
    expect({ words, status, counts, tooMany, stderr }).toMatchObject({ words, status: 0, tooMany: [] });
  });
});
