import { describe, expect, test } from 'vitest';
import { cutLines, sliceLines, withMore } from './open-file.ts';

describe('cutLines', () => {
  test.each([
    ['a\nb\nc\n', undefined, 'a\nb\nc\n', 0],
    ['a\nb\nc\n', 3, 'a\nb\nc\n', 0],
    ['a\nb\nc\n', 2, 'a\nb\n', 1],
    ['a\nb\nc', 2, 'a\nb\n', 1],
    ['a\nb\nc', 3, 'a\nb\nc', 0],
    ['a\r\nb\rc', 1, 'a\r\n', 2],
    ['\n\n\n', 1, '\n', 2],
    ['', 1, '', 0],
    ['no end', 1, 'no end', 0],
  ])('%j to %s lines', (text, limit, cut, more) => {
    expect(cutLines(text, limit)).toEqual({ text: cut, more });
  });
});

describe('sliceLines', () => {
  test.each([
    ['a\nb\nc\n', 1, 1, 'a\n'],
    ['a\nb\nc\n', 2, 3, 'b\nc\n'],
    ['a\nb\nc', 3, 3, 'c'],
    ['a\nb\nc', 2, 99, 'b\nc'],
    ['a\nb\nc', 4, 9, ''],
    ['a\n', 2, 2, ''],
    ['a\r\nb\rc\n', 2, 2, 'b\r'],
    ['', 1, 1, ''],
  ])('%j from %d to %d', (text, from, to, slice) => {
    expect(sliceLines(text, from, to)).toBe(slice);
  });
});

test.each([
  ['a\n', 0, 'a\n'],
  ['a\n', 3, 'a\n... (3 more lines)\n'],
  ['a', 1, 'a\n... (1 more lines)\n'],
  ['', 2, '... (2 more lines)\n'],
])('withMore(%j, %d)', (text, more, expected) => {
  expect(withMore(text, more)).toBe(expected);
});
