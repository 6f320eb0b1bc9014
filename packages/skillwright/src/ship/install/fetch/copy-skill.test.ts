import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asNobody } from '../../../../test/as-nobody.ts';
import { makeDirectory, type Tree } from '../../../../test/make-directory.ts';
import { listTree, skillText } from '../../../../test/make-world.ts';
import { SkillwrightError } from '../../../base/diagnostics/skillwright-error.ts';
import type { ArchiveLimits } from '../archive/entry-guard.ts';
import { copySkill } from './copy-skill.ts';

const limits: ArchiveLimits = { maxEntries: 100, maxBytes: 10_000, maxRatio: 100 };
const skill = skillText('demo');

function copy(tree: Tree, own: Partial<ArchiveLimits> = {}) {
  const base = makeDirectory(
    Object.fromEntries(Object.entries(tree).map(([path, content]) => [`base/skill/${path}`, content])),
  );
  const [from, to] = [join(base, 'base/skill'), join(base, 'copy')];
  try {
    return { bytes: copySkill(from, to, { ...limits, ...own }), tree: listTree(to) };
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return { refused: `${error.code} ${error.message.replaceAll(base, '')}`, left: existsSync(to) };
  }
}

describe('copied content', () => {
  test('files and directories, and the targets of links inside', () => {
    expect(
      copy({
        'SKILL.md': skill,
        'references/a.md': 'A',
        'references/same.md': { link: '../SKILL.md' },
        more: { link: 'references' },
        empty: { directory: true },
      }),
    ).toEqual({
      bytes: 3 * skill.length + 2,
      tree: {
        'SKILL.md': skill,
        more: '/',
        'more/a.md': 'A',
        'more/same.md': skill,
        references: '/',
        'references/a.md': 'A',
        'references/same.md': skill,
      },
    });
  });

  test('hidden entries, node_modules and empty directories are left out', () => {
    const result = copy({
      'SKILL.md': skill,
      '.git/config': 'x',
      '.env': 'SECRET=1',
      'assets/.hidden': 'x',
      'node_modules/x/index.js': 'x',
    });
    expect(result).toEqual({ bytes: skill.length, tree: { 'SKILL.md': skill } });
  });

  test('modes are 0644 or 0755', () => {
    const base = makeDirectory({ 'skill/a': '', 'skill/b': '', 'skill/c': '' });
    chmodSync(join(base, 'skill/a'), 0o4711);
    chmodSync(join(base, 'skill/b'), 0o600);
    copySkill(join(base, 'skill'), join(base, 'copy'), limits);
    const modes = ['a', 'b', 'c'].map((name) =>
      (statSync(join(base, 'copy', name)).mode & 0o7777).toString(8),
    );
    expect(modes).toEqual(['755', '644', '644']);
  });
});

describe('refused content', () => {
  const cases: [string, Tree, string][] = [
    [
      'a link to the outside',
      { 'SKILL.md': skill, x: { link: '/etc/passwd' } },
      "E012 path escapes skill root: 'x'",
    ],
    [
      'a relative link to the outside',
      { 'a/x': { link: '../../../other' } },
      "E012 path escapes skill root: 'a/x'",
    ],
    ['a linked directory outside', { x: { link: '/etc' } }, "E012 path escapes skill root: 'x'"],
    ['a circle of links', { x: { link: 'y' }, y: { link: 'x' } }, "E012 path escapes skill root: 'x'"],
    ['a link to its own directory', { 'a/x': { link: '.' } }, "E012 path escapes skill root: 'a/x'"],
    ['a link to the root', { 'a/x': { link: '..' } }, "E012 path escapes skill root: 'a/x'"],
    [
      'directories that link to each other',
      { 'a/x': { link: '../b' }, 'b/y': { link: '../a' } },
      "E012 path escapes skill root: 'b/y'",
    ],
    ['a broken link', { x: { link: 'y' } }, "E015 cannot read 'x': broken link"],
    [
      'names that differ in case',
      { 'a.md': '', 'A.md': '' },
      "E205 unsafe archive: ''A.md' and 'a.md' are the same name on some systems'",
    ],
    [
      'a device name on Windows',
      { 'aux.md': '' },
      "E205 unsafe archive: 'entry 'aux.md' is a device name on Windows'",
    ],
    ['a backslash', { 'a\\b': '' }, "E205 unsafe archive: 'entry 'a\\b' contains a backslash'"],
    [
      'too much',
      { a: 'x'.repeat(6000), b: 'x'.repeat(6000) },
      "E205 unsafe archive: 'more than 9.8 KiB unpacked'",
    ],
    ['one file too large', { a: 'x'.repeat(11_000) }, "E015 cannot read 'a': larger than 9.8 KiB"],
  ];
  test.each(cases)('%s', (_, tree, refused) => {
    expect(copy(tree)).toEqual({ refused, left: false });
  });

  test('too many entries', () => {
    const tree = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, '']));
    expect(copy(tree)).toEqual({
      refused: "E205 unsafe archive: 'more than 100 entries, or nested too deeply: '/base/skill''",
      left: false,
    });
  });

  test('a socket', async () => {
    const base = makeDirectory({ 'skill/SKILL.md': skill });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(base, 'skill/socket'), resolve));
    onTestFinished(() => void server.close());
    expect(() => copySkill(join(base, 'skill'), join(base, 'copy'), limits)).toThrow('not a regular file');
    expect(existsSync(join(base, 'copy'))).toBe(false);
  });

  test('an unreadable file', (context) => {
    const base = makeDirectory({ 'skill/SKILL.md': skill, 'skill/secret': 'x', out: { directory: true } });
    chmodSync(base, 0o755);
    chmodSync(join(base, 'out'), 0o777);
    chmodSync(join(base, 'skill/secret'), 0);
    const error = asNobody(context, () => {
      try {
        return copySkill(join(base, 'skill'), join(base, 'out/copy'), limits);
      } catch (thrown) {
        return thrown;
      }
    });
    expect(error).toMatchObject({ code: 'E015', message: "cannot read 'secret': permission denied" });
    expect(existsSync(join(base, 'out/copy'))).toBe(false);
  });

  test('an existing target', () => {
    const base = makeDirectory({ 'skill/SKILL.md': skill });
    mkdirSync(join(base, 'copy'));
    expect(() => copySkill(join(base, 'skill'), join(base, 'copy'), limits)).toThrow('refusing to overwrite');
    expect(existsSync(join(base, 'copy'))).toBe(true);
  });
});
