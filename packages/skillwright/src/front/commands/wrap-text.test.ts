import { expect, test } from 'vitest';
import { wrapText } from './wrap-text.ts';

test.each([
  ['', 10, 3, []],
  ['one two', 10, 3, ['one two']],
  ['one two three four', 9, 3, ['one two', 'three', 'four']],
  ['one two three four', 9, 2, ['one two', 'three fo…']],
  ['one two three four', 9, 1, ['one two…']],
  ['abcdefgh', 3, 5, ['abc', 'def', 'gh']],
  ['x abcdefgh y', 4, 5, ['x', 'abcd', 'efgh', 'y']],
  ['日本語の文書', 5, 5, ['日本', '語の', '文書']],
  ['日本語の文書', 5, 2, ['日本', '語の…']],
  ['text', 0, 3, []],
  ['text', 3, 0, []],
])('%j in %i columns and %i lines', (text, columns, lines, wrapped) => {
  expect(wrapText(text, { columns, lines })).toEqual(wrapped);
});
