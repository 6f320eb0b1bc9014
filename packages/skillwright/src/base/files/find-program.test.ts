import { chmodSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { commandLineFor, desktopEnvironment, findProgram, isPathGiven } from './start-child.ts';

function makePath(...names: string[]): string {
  const root = makeDirectory(Object.fromEntries(names.map((name) => [name, '#!/bin/sh\n'])));
  for (const name of names) chmodSync(join(root, name), 0o755);
  return root;
}

describe('on Windows', () => {
  const root = () => makePath('npm', 'npm.cmd', 'git.exe', 'tool');
  test.each([
    ['npm', 'npm.cmd'],
    ['npm.cmd', 'npm.cmd'],
    ['git', 'git.exe'],
    ['tool', undefined],
    ['git.exe', 'git.exe'],
  ])('%s is %s', (name, expected) => {
    const path = root();
    const found = findProgram(name, { Path: path, PathExt: '.exe;.cmd' }, 'win32');
    expect(found).toBe(expected === undefined ? undefined : join(path, expected));
  });
});

test('elsewhere a name is the whole name of the file, and relative directories do not count', () => {
  const path = makePath('npm', 'npm.cmd');
  expect(findProgram('npm', { PATH: ['bin', path].join(delimiter) }, 'linux')).toBe(join(path, 'npm'));
  expect(findProgram('../npm', { PATH: path }, 'linux')).toBeUndefined();
});

test('a copied environment may spell PATH otherwise', () => {
  expect(isPathGiven({ Path: '/bin' })).toBe(true);
  expect(desktopEnvironment({ Path: '/bin', SKC_TOKEN: 'x' })).toMatchObject({ PATH: '/bin' });
});

describe('words for a batch file', () => {
  test('each is in quotes, and a backslash does not hide the closing one', () => {
    expect(commandLineFor(['C:\\bin\\npm.cmd', 'a b', 'a&b|c^d', 'C:\\x\\'])).toBe(
      '"C:\\bin\\npm.cmd" "a b" "a&b|c^d" "C:\\x\\\\"',
    );
  });

  test.each(['a"b', '%PATH%', 'a\nb', 'a\rb'])('%j is refused', (word) => {
    expect(() => commandLineFor(['npm.cmd', word])).toThrow(expect.objectContaining({ code: 'E076' }));
  });
});
