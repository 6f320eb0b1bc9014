import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { sha256 } from './hash.ts';
import { hashFileInside } from './hash-file.ts';

test('a file of any size', () => {
  const large = 'x'.repeat(3_000_001);
  const dir = makeDirectory({ empty: '', 'sub/large': large });
  expect(hashFileInside(dir, 'empty')).toBe(sha256(''));
  expect(hashFileInside(dir, 'sub/large')).toBe(sha256(large));
  expect(hashFileInside(dir, 'gone')).toBe(undefined);
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
