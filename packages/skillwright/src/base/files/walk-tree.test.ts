import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asNobody } from '../../../test/as-nobody.ts';
import { makeDirectory, type Tree } from '../../../test/make-directory.ts';
import { isIgnoredName, skillLimits, walkTree } from './walk-tree.ts';

const shortly = ({ entries, truncated }: ReturnType<typeof walkTree>) => ({
  entries: entries.map(({ path, kind, why }) =>
    why === undefined ? `${kind} ${path}` : `${kind} ${path}: ${why}`,
  ),
  truncated,
});

const walk = (tree: Tree, limits = skillLimits) => shortly(walkTree(makeDirectory(tree), limits));

describe('walkTree', () => {
  test('lists everything in bytewise order', () => {
    const tree = { 'b/x': '', 'a.md': '', 'a/z': '', 'a/y/k': '', B: '', '\uffff': '', '😀': '', é: '' };
    expect(walk(tree)).toEqual({
      entries: [
        'file B',
        'directory a',
        'file a.md',
        'directory a/y',
        'file a/y/k',
        'file a/z',
        'directory b',
        'file b/x',
        'file é',
        'file \uffff',
        'file 😀',
      ],
      truncated: false,
    });
  });

  test('leaves out hidden entries and node_modules at any depth', () => {
    const tree = {
      '.git/config': '',
      '.env': '',
      'node_modules/a/SKILL.md': '',
      'a/.x': '',
      'a/node_modules/b': '',
    };
    expect(walk(tree)).toEqual({ entries: ['directory a'], truncated: false });
    expect(['.', '.a', 'node_modules', 'a.b', 'Node_modules'].map(isIgnoredName)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test('tells links apart, and enters none', () => {
    const root = makeDirectory({
      'skill/dir/a.md': '',
      'skill/to-file': { link: 'dir/a.md' },
      'skill/to-dir': { link: 'dir' },
      'skill/to-root': { link: '.' },
      'skill/to-hidden': { link: '.hidden' },
      'skill/.hidden': '',
      'skill/out': { link: '../other' },
      'skill/out-absolute': { link: '/etc/passwd' },
      'skill/out-through': { link: 'out/x' },
      'skill/back': { link: '../skill/dir' },
      'skill/dangling': { link: 'none' },
      'skill/dangling-out': { link: '../none' },
      'skill/loop-a': { link: 'loop-b' },
      'skill/loop-b': { link: 'loop-a' },
      'other/x': '',
      linked: { link: 'skill' },
    });
    execFileSync('mkfifo', [join(root, 'skill/pipe')]);
    const entries = [
      'linked-directory back',
      'broken-link dangling',
      'escape dangling-out',
      'directory dir',
      'file dir/a.md',
      'escape loop-a',
      'escape loop-b',
      'escape out',
      'escape out-absolute',
      'escape out-through',
      'special pipe',
      'linked-directory to-dir',
      'file to-file',
      'special to-hidden',
      'linked-directory to-root',
    ];
    expect(shortly(walkTree(join(root, 'skill')))).toEqual({ entries, truncated: false });
    expect(shortly(walkTree(join(root, 'linked')))).toEqual({ entries, truncated: false });
  });

  test('stops at the bounds, always at the same place', () => {
    const tree = { 'a/1': '', 'a/2': '', 'b/1': '', 'b/c/d/e': '', z: '' };
    expect(walk(tree, { maxEntries: 4, maxDepth: 32 })).toEqual({
      entries: ['directory a', 'file a/1', 'file a/2', 'directory b'],
      truncated: true,
    });
    expect(walk(tree, { maxEntries: 9, maxDepth: 32 }).truncated).toBe(false);
    expect(walk(tree, { maxEntries: 100, maxDepth: 2 })).toEqual({
      entries: ['directory a', 'file a/1', 'file a/2', 'directory b', 'file b/1', 'directory b/c', 'file z'],
      truncated: true,
    });
    expect(walk(tree, { maxEntries: 100, maxDepth: 4 }).truncated).toBe(false);
  });

  test('goes on around a directory that cannot be listed, and names it once', (context) => {
    const root = makeDirectory({ 'a/x': '', 'closed/x': '', 'z/x': '' });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'closed'), 0);
    expect(shortly(asNobody(context, () => walkTree(root)))).toEqual({
      entries: ['directory a', 'file a/x', 'unreadable closed: permission denied', 'directory z', 'file z/x'],
      truncated: false,
    });
    chmodSync(join(root, 'closed'), 0o700);
  });

  test('never throws for its root', () => {
    const root = makeDirectory({ file: '' });
    const rootOf = (path: string) => shortly(walkTree(path)).entries;
    expect(rootOf(join(root, 'none'))).toEqual(['unreadable : no such file or directory']);
    expect(rootOf(join(root, 'file'))).toEqual(['unreadable : a part of the path is not a directory']);
    expect(rootOf('a\0b')).toEqual(['unreadable : the name is not allowed here']);
  });

  test('lists names that are not UTF-8', () => {
    const root = makeDirectory();
    writeFileSync(Buffer.concat([Buffer.from(`${root}/a`), Buffer.from([0xff])]), '');
    expect(shortly(walkTree(root)).entries).toEqual(['file a\ufffd']);
  });
});
