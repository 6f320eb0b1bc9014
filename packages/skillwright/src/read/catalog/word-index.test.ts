import { expect, test } from 'vitest';
import { createWordIndex } from './word-index.ts';

function addDocument(
  index: ReturnType<typeof createWordIndex>,
  words: readonly (readonly [number, number])[],
) {
  const number = index.begin();
  for (const [hash, weight] of words) index.add(index.terms.numberOf(hash), weight);
  return number;
}

function readList(index: ReturnType<typeof createWordIndex>, hash: number) {
  const list: [number, number][] = [];
  index.each(hash, (document, weight) => list.push([document, weight]));
  return list;
}

test('words lead to the documents that have them', () => {
  const index = createWordIndex();
  addDocument(index, [
    [7, 1],
    [-3, 2],
    [0, 255],
  ]);
  addDocument(index, []);
  addDocument(index, [
    [0, 1],
    [7, 2],
  ]);
  expect(index.size).toBe(3);
  expect([7, -3, 0, 1].map((hash) => readList(index, hash))).toEqual([
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
  ]);
});

test('many words in many documents, also when the index continues from an earlier state', () => {
  let index = createWordIndex();
  const expected = new Map<number, [number, number][]>();
  for (let document = 0; document < 3000; document++) {
    // Some words are everywhere, most are rare, and the first occurs again only at the end.
    const words = Array.from({ length: 40 }, (_, word) =>
      Math.imul(word * ((document % (word + 1)) + 1), 0x9e3779b1),
    );
    if (document === 0 || document === 2999) words.push(42);
    const weighed = [...new Set(words)].map((hash) => [hash, (document + hash) & 255] as const);
    addDocument(index, weighed);
    for (const [hash, weight] of weighed)
      expected.set(hash, [...(expected.get(hash) ?? []), [document, weight]]);
    if (document % 1000 === 0) index = createWordIndex(index.state);
  }
  for (const [hash, list] of expected) expect(readList(index, hash)).toEqual(list);
});
