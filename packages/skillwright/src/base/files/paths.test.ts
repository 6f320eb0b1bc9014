import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { isSpelledAsListed } from './contained-path.ts';
import { hasExecuteBit, noteExecuteBit } from './execute-bit.ts';
import { isPathLike, typedPath, withSlashes } from './paths.ts';

test.each([
  ['claude', 'linux', false],
  ['./x', 'linux', true],
  ['.\\x', 'linux', false],
  ['C:x', 'linux', false],
  ['claude', 'win32', false],
  ['./x', 'win32', true],
  ['.\\x', 'win32', true],
  ['C:x', 'win32', true],
  ['~\\x', 'win32', true],
] as const)('%s on %s is a path: %s', (word, platform, expected) => {
  expect(isPathLike(word, platform)).toBe(expected);
});

test('a typed path starts at home or where one stands', () => {
  const places = { cwd: resolve('/work'), home: resolve('/home/ada') };
  expect(['~', '~/x', 'x', '/x', '~x'].map((word) => typedPath(word, places))).toEqual([
    resolve('/home/ada'),
    resolve('/home/ada/x'),
    resolve('/work/x'),
    resolve('/x'),
    resolve('/work/~x'),
  ]);
});

test('backslashes separate names on Windows only', () => {
  expect(withSlashes('references\\a.md', 'win32')).toBe('references/a.md');
  expect(withSlashes('references\\a.md', 'linux')).toBe('references\\a.md');
});

test('on Windows, a shebang stands for the execute bit of a file that was not unpacked', () => {
  const root = makeDirectory({ 'go.sh': '#!/bin/sh\n', 'data.txt': '# !\n', empty: '' });
  const bits = ['go.sh', 'data.txt', 'empty', 'missing'].map((name) =>
    hasExecuteBit(join(root, name), 'win32'),
  );
  expect(bits).toEqual([true, false, false, false]);
  noteExecuteBit(join(root, 'data.txt'), true, 'win32');
  noteExecuteBit(join(root, 'go.sh'), false, 'win32');
  expect(['go.sh', 'data.txt'].map((name) => hasExecuteBit(join(root, name), 'win32'))).toEqual([
    false,
    true,
  ]);
});

test.each([
  ['refs/x.md', 'win32', true],
  ['./refs/../refs/x.md', 'win32', true],
  ['refs\\x.md', 'win32', false],
  ['REFS/x.md', 'win32', false],
  ['refs/X.md', 'darwin', false],
  ['refs/caf\u00e9.md', 'darwin', true],
  ['REFS/x.md', 'linux', true],
] as const)('%s on %s is spelled as listed: %s', (path, platform, expected) => {
  // macOS lists the letters of a name decomposed.
  const root = makeDirectory({ 'refs/x.md': '', 'refs/cafe\u0301.md': '' });
  expect(isSpelledAsListed(root, path, platform)).toBe(expected);
});
