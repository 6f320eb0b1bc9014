import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { describeSystemError, isMissing, readError, systemErrorCode, writeError } from './system-error.ts';

const coded = (code: string) => Object.assign(new Error(`${code}: something long, open '/x'`), { code });

test.each([
  [coded('ENOENT'), 'ENOENT'],
  [coded('UNKNOWN'), 'UNKNOWN'],
  [coded('EAI_AGAIN'), 'EAI_AGAIN'],
  [coded('ERR_INVALID_ARG_VALUE'), 'ERR_INVALID_ARG_VALUE'],
  [coded('ERR_FS_FILE_TOO_LARGE'), 'ERR_FS_FILE_TOO_LARGE'],
  [coded('ERR_INVALID_ARG_TYPE'), undefined],
  [coded('nope'), undefined],
  [Object.assign(new Error('x'), { code: 7 }), undefined],
  [SkillwrightError.of('E012', { path: 'x' }), undefined],
  [new Error('x'), undefined],
  [{ code: 'ENOENT' }, undefined],
  [undefined, undefined],
])('systemErrorCode of %s is %s', (error, code) => {
  expect(systemErrorCode(error)).toBe(code);
});

test.each([
  ['ENOENT', true],
  ['ENOTDIR', true],
  ['EACCES', false],
  ['ELOOP', false],
])('%s means missing: %s', (code, missing) => {
  expect(isMissing(coded(code))).toBe(missing);
});

test.each([
  [coded('EACCES'), 'permission denied'],
  [coded('ENOSPC'), 'no space left on the disk'],
  [coded('ELOOP'), 'too many symbolic links'],
  [coded('EWEIRD'), 'EWEIRD'],
  [new Error('as it says'), 'as it says'],
  ['thrown text', 'thrown text'],
])('%s in words: %s', (error, words) => {
  expect(describeSystemError(error)).toBe(words);
});

describe('coded errors', () => {
  test('a failed read is E015, a failed write E016, with the cause', () => {
    const cause = coded('EACCES');
    const [read, write] = [readError('a', cause), writeError('a', cause)] as SkillwrightError[];
    expect([read!.message, read!.code, read!.cause]).toEqual([
      "cannot read 'a': permission denied",
      'E015',
      cause,
    ]);
    expect([write!.message, write!.code, write!.cause]).toEqual([
      "cannot write 'a': permission denied",
      'E016',
      cause,
    ]);
  });

  test('bugs and coded errors stay what they are', () => {
    for (const error of [new TypeError('x'), SkillwrightError.of('E004', {}), 'text']) {
      expect(readError('a', error)).toBe(error);
      expect(writeError('a', error)).toBe(error);
    }
  });

  test('a NUL in a path is a fact about the path', () => {
    let thrown: unknown;
    try {
      readFileSync('a\0b');
    } catch (error) {
      thrown = readError('a\0b', error);
    }
    expect((thrown as Error).message).toBe("cannot read 'a\\u0000b': the name is not allowed here");
  });
});
