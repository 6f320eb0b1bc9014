import { describe, expect, test } from 'vitest';
import { makeDirectory, type Tree } from '../../../test/make-directory.ts';
import { fitSkillFiles } from './skill-files.ts';

const many = (prefix: string, count: number): Tree =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${prefix}${String(index).padStart(4, '0')}.md`, 'x']),
  );

describe('fitSkillFiles', () => {
  test('lists everything that fits, except SKILL.md, hidden files and links that lead out', () => {
    const dir = makeDirectory({
      'SKILL.md': 'x',
      'scripts/run.sh': 'x',
      'references/deep/a.md': 'x',
      'assets/SKILL.md': 'a skill of its own is a file here',
      'forms.md': 'x',
      '.git/config': 'x',
      'node_modules/a/index.js': 'x',
      'out.md': { link: '/etc/passwd' },
    });
    expect(fitSkillFiles(dir)).toEqual({
      entries: ['assets/SKILL.md', 'forms.md', 'references/deep/a.md', 'scripts/run.sh'].map((path) => ({
        path,
        files: 1,
      })),
      total: 4,
      missing: 0,
      truncated: false,
    });
  });

  test('a directory too large for the list becomes one entry, and hides no other', () => {
    const dir = makeDirectory({ 'SKILL.md': 'x', 'scripts/run.sh': 'x', ...many('assets/', 300) });
    expect(fitSkillFiles(dir)).toEqual({
      entries: [
        { path: 'assets/', files: 300 },
        { path: 'scripts/run.sh', files: 1 },
      ],
      total: 301,
      missing: 0,
      truncated: true,
    });
  });

  test('a large file takes no more room than a small one', () => {
    const dir = makeDirectory({
      'SKILL.md': 'x',
      'assets/big.bin': 'x'.repeat(600 * 1024),
      'scripts/run.sh': 'x',
    });
    expect(fitSkillFiles(dir).entries.map(({ path }) => path)).toEqual(['assets/big.bin', 'scripts/run.sh']);
  });

  test('a directory is expanded as far as its entries fit', () => {
    const dir = makeDirectory({ ...many('a/b/', 8), 'a/c.md': 'x', 'd.md': 'x' });
    expect(fitSkillFiles(dir, { maxEntries: 5 })).toEqual({
      entries: [
        { path: 'a/b/', files: 8 },
        { path: 'a/c.md', files: 1 },
        { path: 'd.md', files: 1 },
      ],
      total: 10,
      missing: 0,
      truncated: true,
    });
  });

  test('top-level entries that do not fit are counted', () => {
    const dir = makeDirectory({ ...many('', 10), 'scripts/run.sh': 'x' });
    expect(fitSkillFiles(dir, { maxEntries: 3 })).toEqual({
      entries: [
        { path: '0000.md', files: 1 },
        { path: '0001.md', files: 1 },
        { path: 'scripts/run.sh', files: 1 },
      ],
      total: 11,
      missing: 8,
      truncated: true,
    });
  });

  test('long paths count in bytes', () => {
    const dir = makeDirectory({ [`${'x'.repeat(100)}/a.md`]: 'x', 'b.md': 'x' });
    expect(fitSkillFiles(dir, { maxBytes: 106 })).toMatchObject({
      entries: [{ path: 'b.md' }, { path: `${'x'.repeat(100)}/` }],
      truncated: true,
    });
  });
});
