import { expect, test } from 'vitest';
import { scannerFor } from '../../base/words/index.ts';
import { createSentenceFinder } from './find-passage.ts';
import { readQuery } from './search-sections.ts';

function find(text: string, query: string): string {
  const words = readQuery(query, scannerFor('porter')).words.map(({ word }) => word);
  const weights = words.map(() => 1);
  return createSentenceFinder(words, weights, (piece) => `${piece}[MATCH]`)(text, 'code').shown;
}

const filler = 'lorem ipsum '.repeat(20_000);

test.each([
  ['the first match of a very long line', `${filler}red one ${filler}red two`, 'red', 'red one'],
  ['another form of a word', `${filler}The Queries here ${filler}`, 'query', 'The Queries here'],
  ['a word without spaces around it', `${filler}我们使用数据库存储${filler}`, '数据库', '数据库'],
])('finds %s', (_, text, query, expected) => {
  expect(find(text, query)).toContain(expected);
  expect(find(text, query).length).toBeLessThan(100_000);
});

test('shows a line of ordinary length whole', () => {
  expect(find('one\ntwo red three\nfour', 'red')).toBe('two red three[MATCH]');
});
