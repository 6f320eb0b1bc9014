import { expect, test } from 'vitest';
import { createWordCollector, rangeOf, type WordIndex } from './word-index.ts';

const words = createWordCollector();

function makeIndex(documents: readonly (readonly (readonly [hash: number, weight: number])[])[]) {
  for (const document of documents) {
    words.begin();
    for (const [hash, weight] of document) words.add(hash, weight);
  }
  return words.finish();
}

function readList(index: WordIndex, hash: number) {
  const [from, to] = rangeOf(index, hash);
  return Array.from({ length: to - from }, (_, at) => [index.documents[from + at], index.weights[from + at]]);
}

test('words lead to the documents that have them', () => {
  const index = makeIndex([
    [
      [7, 1],
      [-3, 2],
      [0, 255],
    ],
    [],
    [
      [0, 1],
      [7, 2],
    ],
  ]);
  expect(index.size).toBe(3);
  expect([7, -3, 0, 1, -8, 8].map((hash) => readList(index, hash))).toEqual([
    [
      [0, 1],
      [2, 2],
    ],
    [[0, 2]],
    [
      [0, 255],
      [2, 1],
    ],
    [],
    [],
    [],
  ]);
});

test('no documents', () => {
  expect(readList(makeIndex([]), 1)).toEqual([]);
});

test('many words in many documents', () => {
  const expected = new Map<number, [number, number][]>();
  const documents = Array.from({ length: 3000 }, (_, document) => {
    // Some words are everywhere, most are rare, and the first occurs again only at the end.
    const words = Array.from({ length: 40 }, (_, word) =>
      Math.imul(word * ((document % (word + 1)) + 1), 0x9e3779b1),
    );
    if (document === 0 || document === 2999) words.push(42);
    const weighed = [...new Set(words)].map((hash) => [hash, (document + hash) & 255] as const);
    for (const [hash, weight] of weighed)
      expected.set(hash, [...(expected.get(hash) ?? []), [document, weight]]);
    return weighed;
  });
  const index = makeIndex(documents);
  for (const [hash, list] of expected) expect(readList(index, hash)).toEqual(list);
});
