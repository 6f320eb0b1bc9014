import { expect, test } from 'vitest';
import { buildWordIndex } from './word-index.ts';

const words = (hashes: number[]) => ({
  hashes: Int32Array.from(hashes),
  weights: Uint8Array.from(hashes, (_, index) => index + 1),
});

test('words are turned into the skills that have them, copies of a skill included', () => {
  const copy = words([7, -3, 0]);
  const index = buildWordIndex([copy, words([]), words([0, 7]), copy]);
  const find = (hash: number) => {
    const { skills, weights } = index.find(hash);
    return [[...skills], [...weights]];
  };
  expect(index.size).toBe(4);
  expect([7, -3, 0, 1].map(find)).toEqual([
    [
      [0, 2, 3],
      [1, 2, 1],
    ],
    [
      [0, 3],
      [2, 2],
    ],
    [
      [0, 2, 3],
      [3, 1, 3],
    ],
    [[], []],
  ]);
});

test('many words', () => {
  const vectors = Array.from({ length: 50 }, (_, skill) =>
    words(Array.from({ length: 200 }, (_, word) => Math.imul(word * (skill + 1), 0x9e3779b1))),
  );
  const expected = new Map<number, number[]>();
  vectors.forEach(({ hashes }, skill) => {
    for (const hash of hashes) expected.set(hash, [...(expected.get(hash) ?? []), skill]);
  });
  const index = buildWordIndex(vectors);
  for (const [hash, skills] of expected) expect([...index.find(hash).skills]).toEqual(skills);
});
