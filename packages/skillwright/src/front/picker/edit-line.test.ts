import { describe, expect, test } from 'vitest';
import { cleanLine, editLine } from './edit-line.ts';

test.each([
  ['backspace', 'abc', 'ab'],
  ['backspace', '', ''],
  ['backspace', 'e\u0301', ''],
  ['backspace', '👩\u200d👩\u200d👧', ''],
  ['delete-word', 'one two', 'one '],
  ['delete-word', 'one two  ', 'one '],
  ['delete-word', '', ''],
  ['delete-line', 'one two', ''],
] as const)('%s of %j', (key, line, left) => {
  expect(editLine(line, key)).toBe(left);
});

describe('a line', () => {
  test.each([
    ['has no control characters', ' a\n\tb\u0000c', 'a b c'],
    ['is short', 'x'.repeat(500), 'x'.repeat(200)],
    ['is well formed where it is cut', `${'x'.repeat(199)}😀`, `${'x'.repeat(199)}\ufffd`],
  ])('%s', (_, typed, line) => {
    expect(cleanLine(typed)).toBe(line);
  });
});
