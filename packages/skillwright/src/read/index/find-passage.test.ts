import { expect, test } from 'vitest';
import { scannerFor } from '../../base/words/index.ts';
import { createPassageFinder } from './find-passage.ts';
import { readQuery } from './search-sections.ts';

function findPassage(text: string, query: string) {
  const words = readQuery(query, scannerFor('porter')).words.map(({ word }) => word);
  return createPassageFinder(
    words,
    words.map(() => 1),
  )(text);
}

const filler = 'lorem ipsum '.repeat(500);

test.each([
  ['the words together', `red ${filler}red blue ${filler}blue`, 'blue red', 'red blue'],
  ['the first of several', `${filler}red one ${filler}red two`, 'red', 'red one'],
  ['another form of a word', `${filler}The Queries here ${filler}`, 'query', 'The Queries here'],
  ['a word without spaces around it', `${filler}我们使用数据库存储${filler}`, '数据库', '数据库'],
])('finds %s', (_, text, query, expected) => {
  const passage = findPassage(text, query);
  expect(text.slice(passage?.from, passage?.to)).toContain(expected);
  expect((passage?.to ?? 0) - (passage?.from ?? 0)).toBeLessThan(1100);
});

test('finds nothing without a match, and finds matches at the edges of the text', () => {
  expect(findPassage(filler, 'absent')).toBeUndefined();
  expect(findPassage('red', 'red')).toEqual({ from: 0, to: 3 });
});
