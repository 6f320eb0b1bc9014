import { chmodSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { asNobody } from '../../../test/as-nobody.ts';
import { makeDirectory, type Tree } from '../../../test/make-directory.ts';
import { findSkills } from './find-skills.ts';

const directory = { directory: true } as const;

function find(root: string): string[] {
  const shown = (path: string) => path.slice(root.length + 1).replaceAll(sep, '/');
  return [...findSkills(root)].map((found) => {
    if (found.kind === 'skill') return `skill ${shown(found.dir)}`;
    if (found.kind === 'misspelled') return `misspelled ${shown(found.path)}: ${found.name}`;
    if (found.kind === 'skipped') return `skipped ${shown(found.path)}: ${found.why}`;
    return found.kind === 'unreadable'
      ? `unreadable ${shown(found.path)}: ${found.why}`
      : `not a file ${shown(found.path)}`;
  });
}

test.each<[string, Tree, string[]]>([
  ['the directory itself', { 'SKILL.md': '', 'inner/SKILL.md': '' }, ['skill ']],
  ['nothing', { 'a/b': '' }, []],
  [
    'bytewise order',
    { 'b/SKILL.md': '', 'B/SKILL.md': '', 'a/SKILL.md': '' },
    ['skill B', 'skill a', 'skill b'],
  ],
  ['does not look inside a skill', { 'a/SKILL.md': '', 'a/assets/b/SKILL.md': '' }, ['skill a']],
  [
    'reports a name in the wrong case',
    { 'a/skill.md': '', 'b/SKILL.MD': '' },
    ['misspelled a: skill.md', 'misspelled b: SKILL.MD'],
  ],
  ['a directory named SKILL.md', { 'a/SKILL.md': directory, 'b/SKILL.md': '' }, ['not a file a', 'skill b']],
  ['a broken link', { 'a/SKILL.md': { link: 'none' } }, ['not a file a']],
  [
    'hidden directories, except where agents keep skills',
    {
      '.git/a/SKILL.md': '',
      '.claude/skills/b/SKILL.md': '',
      '.codex/skills/.system/f/SKILL.md': '',
      '.cursor/skills/d/SKILL.md': '',
      '.github/skills/e/SKILL.md': '',
      '.openclaw/skills/g/SKILL.md': '',
      '.venv/h/SKILL.md': '',
      '.skillc/skills/c/SKILL.md': '',
      'node_modules/d/SKILL.md': '',
    },
    [
      'skill .claude/skills/b',
      'skill .codex/skills/.system/f',
      'skill .cursor/skills/d',
      'skill .github/skills/e',
      'skill .openclaw/skills/g',
      'skill .skillc/skills/c',
      'skipped .venv: hidden',
      'skipped node_modules: installed packages',
    ],
  ],
  ['no runtime directories', { '.skillc/runtime/a/SKILL.md': '' }, []],
  [
    'links to skills, each real skill once, without cycles',
    {
      'x/SKILL.md': '',
      'l/one': { link: '../x' },
      'l/two': { link: '../x' },
      'l/up': { link: '..' },
      'l/loop': { link: 'loop' },
    },
    ['skill l/one', 'skill x'],
  ],
  [
    'at most twelve levels down',
    { [`${'a/'.repeat(12)}SKILL.md`]: '', [`${'b/'.repeat(13)}SKILL.md`]: '' },
    [
      `skill ${'a/'.repeat(12).slice(0, -1)}`,
      `skipped ${'b/'.repeat(12).slice(0, -1)}: more than 12 levels down`,
    ],
  ],
])('%s', (_, tree, found) => {
  expect(find(makeDirectory(tree))).toEqual(found);
});

test('reports a directory that cannot be listed, and still finds the rest', (context) => {
  const root = makeDirectory({ 'a/SKILL.md': '', 'closed/x/SKILL.md': '', 'z/SKILL.md': '' });
  chmodSync(root, 0o755);
  chmodSync(join(root, 'closed'), 0);
  expect(asNobody(context, () => find(root))).toEqual([
    'skill a',
    'unreadable closed: permission denied',
    'skill z',
  ]);
  chmodSync(join(root, 'closed'), 0o700);
});
