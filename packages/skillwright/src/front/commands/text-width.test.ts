import { describe, expect, test } from 'vitest';
import { cutToWidth, padToWidth, splitCharacters, widthOf, wrapText } from './text-width.ts';

test.each([
  ['', 0],
  ['plain', 5],
  ['naïve', 5],
  ['nai\u0308ve', 5],
  ['日本語', 6],
  ['한국어', 6],
  ['ﾊﾝｶｸ', 4],
  ['ＦＵＬＬ', 8],
  ['😀', 2],
  ['👩‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['❤️', 2],
  ['❤', 1],
  ['a\u200bb', 2],
  ['שלום', 4],
  ['𠀀', 2],
  ['…', 1],
])('%j takes %i columns', (text, width) => {
  expect(widthOf(text)).toBe(width);
});

describe('cutToWidth', () => {
  test.each([
    ['release', 7, 'release'],
    ['release', 6, 'relea…'],
    ['release notes', 9, 'release…'],
    ['release', 1, '…'],
    ['release', 0, ''],
    ['release', -3, ''],
    ['', 4, ''],
    ['日本語', 6, '日本語'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['日本語', 1, '…'],
    ['a😀b', 3, 'a…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ])('%j in %i columns', (text, columns, cut) => {
    expect(cutToWidth(text, columns)).toBe(cut);
    expect(widthOf(cut)).toBeLessThanOrEqual(Math.max(0, columns));
  });

  test('a letter cannot be buried in marks', () => {
    expect(cutToWidth(`a${'\u0301'.repeat(5000)}b`, 4)).toBe(`a${'\u0301'.repeat(31)}b`);
  });
});

test('padding counts columns', () => {
  expect([padToWidth('日本', 6), padToWidth('ab', 6), padToWidth('abc', 2)]).toEqual([
    '日本  ',
    'ab    ',
    'abc',
  ]);
});

test('characters are what a reader counts', () => {
  expect(splitCharacters('ab')).toEqual(['a', 'b']);
  expect(splitCharacters('e\u0301👩‍👩‍👧日')).toEqual(['e\u0301', '👩‍👩‍👧', '日']);
});

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
