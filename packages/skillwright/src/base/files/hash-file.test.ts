import { symlinkSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { hashFileInside, sha256 } from './hash.ts';

test('a file of any size', () => {
  const large = 'x'.repeat(3_000_001);
  const dir = makeDirectory({ empty: '', 'sub/large': large });
  expect(hashFileInside(dir, 'empty')).toBe(sha256(''));
  expect(hashFileInside(dir, 'sub/large')).toBe(sha256(large));
  expect(hashFileInside(dir, 'gone')).toBe(undefined);
});

test('a file that claims to be huge is not read, and an edit still shows', () => {
  const dir = makeDirectory({ sparse: 'x' });
  const path = join(dir, 'sparse');
  truncateSync(path, 64 * 1024 ** 3);
  const before = hashFileInside(dir, 'sparse');
  expect(hashFileInside(dir, 'sparse')).toBe(before);
  // A digest of its content would stay.
  utimesSync(path, 1, 1);
  expect(hashFileInside(dir, 'sparse')).not.toBe(before);
});

test('a directory, and a link that leads out', () => {
  const dir = makeDirectory({ 'skill/sub/x': '', outside: '' });
  symlinkSync(join(dir, 'outside'), join(dir, 'skill/out'));
  const codeOf = (path: string) => {
    try {
      return hashFileInside(join(dir, 'skill'), path);
    } catch (error) {
      return error instanceof SkillwrightError ? error.code : error;
    }
  };
  expect([codeOf('sub'), codeOf('out'), codeOf('../outside')]).toEqual(['E015', 'E012', 'E012']);
});
