import { expect, test } from 'vitest';
import { hashText } from '../../base/words/index.ts';
import { createWordWeigher, readBody, WORDS_VERSION } from './skill-words.ts';

/** A skill with many kinds of words. */
const sample = {
  name: 'sampleSkill-2Words',
  description:
    'Converting queries into organized tables, classes and studies; stopped deployments, Naïve, 处理电子表格.',
  tags: ['testing', 'releases'],
  body: '# Running the tests\n\nThe quick foxes are jumping over lazier dogs.\n\n```\n# code\n```\n',
};

function wordsOf(weigh: ReturnType<typeof createWordWeigher>, texts: typeof sample) {
  const words: [hash: number, weight: number][] = [];
  weigh(texts, (hash, weight) => words.push([hash, weight]));
  return words;
}

test('words that are split, stemmed or weighed differently have another version', () => {
  const words = wordsOf(createWordWeigher(), sample);
  const sum = words.reduce((total, [hash, weight]) => (Math.imul(total, 31) + hash * 3 + weight) | 0, 0);
  // When this fails, raise the version too: registries renew the words they store by it.
  expect([WORDS_VERSION, words.length, sum]).toEqual([3, 54, 1163990086]);
});

/** Counts of words in a body, as `count` or `count/in headings`. */
function countsOf(body: string) {
  const names = new Map(['fox', 'dog', 'run', 'foxdog'].map((term) => [hashText(term), term]));
  const { all, headings } = readBody(body);
  const timesIn = (hashes: readonly number[], wanted: number) =>
    hashes.filter((hash) => hash === wanted).length;
  const found = [...new Set(all)].map((hash) => {
    const inHeadings = timesIn(headings, hash);
    return [names.get(hash) ?? '?', `${timesIn(all, hash)}${inHeadings === 0 ? '' : `/${inHeadings}`}`];
  });
  return { length: all.length, headingLength: headings.length, found: Object.fromEntries(found) };
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
  expect(countsOf(body)).toEqual({ length, headingLength, found });
});

test('bytes that are not text', () => {
  const bytes = Uint8Array.from({ length: 4096 }, (_, index) => (index * 37) % 256);
  expect(readBody(Buffer.from(bytes).toString()).all.length).toBeGreaterThan(0);
});

test('a skill has the same words, whichever skills came before', () => {
  const weigh = createWordWeigher();
  const first = wordsOf(weigh, sample);
  wordsOf(weigh, { ...sample, name: 'other', body: 'Quick foxes and dogs.' });
  expect(wordsOf(weigh, sample)).toEqual(first);
});
