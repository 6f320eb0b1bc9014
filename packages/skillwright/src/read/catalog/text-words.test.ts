import { expect, test } from 'vitest';
import { hashText } from '../../base/words/index.ts';
import { createTermTable } from './term-table.ts';
import { createTextReader } from './text-words.ts';

/** Counts of these words in a body, as `count` or `count/in headings`. */
function makeReader(terms: readonly string[]) {
  const table = createTermTable();
  const { read } = createTextReader(table);
  const names = new Map(terms.map((term) => [hashText(term), term]));
  return (body: string) => {
    const found: Record<string, string> = {};
    const words = read(body);
    const { length, headingLength } = words;
    for (const term of words.distinct.subarray(0, words.distinctLength)) {
      const [times, inHeadings] = [words.counts[term], words.headingCounts[term]];
      found[names.get(table.hashOf(term)) ?? '?'] = inHeadings === 0 ? `${times}` : `${times}/${inHeadings}`;
    }
    return { length, headingLength, found };
  };
}

test.each([
  ['nothing', '', [0, 0], {}],
  ['stop words', 'the and of', [0, 0], {}],
  ['forms of a word', 'run Running runs', [3, 0], { run: '3' }],
  ['a heading', '# Fox\n\nfox dog', [3, 1], { fox: '2/1', dog: '1' }],
  ['a heading after others', 'dog\n## fox\n### fox\ndog #fox', [5, 2], { fox: '3/2', dog: '2' }],
  ['CRLF', '# fox\r\n\r\ndog\r\n# dog\r\n', [3, 2], { fox: '1/1', dog: '2/1' }],
  ['a fence', '```\n# fox\n```\n# dog', [2, 1], { fox: '1', dog: '1/1' }],
  ['a fence in a fence', '~~~\n```\n# fox\n~~~\n# dog', [2, 1], { fox: '1', dog: '1/1' }],
  ['a fence without an end', '```\n# fox\n# dog', [2, 0], { fox: '1', dog: '1' }],
  ['parts of a word', 'foxDog', [3, 0], { foxdog: '1', fox: '1', dog: '1' }],
  ['accents', 'fóx, dog', [2, 0], { fox: '1', dog: '1' }],
  ['the end of the text', 'fox', [1, 0], { fox: '1' }],
])('%s', (_what, body, [length, headingLength], found) => {
  expect(makeReader(['fox', 'dog', 'run', 'foxdog'])(body)).toEqual({ length, headingLength, found });
});

test('one body after the other', () => {
  const read = makeReader(['fox', 'dog']);
  expect(read('# fox dog').found).toEqual({ fox: '1/1', dog: '1/1' });
  expect(read('fox').found).toEqual({ fox: '1' });
  expect(read('').found).toEqual({});
});

test('bytes that are not text', () => {
  const bytes = Uint8Array.from({ length: 4096 }, (_, index) => (index * 37) % 256);
  expect(makeReader([])(Buffer.from(bytes).toString()).length).toBeGreaterThan(0);
});

test('more distinct words than the table keeps', () => {
  const read = makeReader(['fox']);
  for (let round = 0; round < 8; round++) {
    const many = Array.from({ length: 20_000 }, (_, index) => `q${round}x${index}`).join(' ');
    expect(read(`fox ${many}`)).toMatchObject({ length: 20_001, found: { fox: '1' } });
  }
});
