import { expect, test } from 'vitest';
import { createPackedStore, emptyPosting, packPosting, readPosting } from './packed-store.ts';

const BLOCK = 2 ** 18;
const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);

test('what was put in first is forgotten first, unless it was put in again', () => {
  const store = createPackedStore<number>(2 * BLOCK);
  const half = BLOCK / 2;
  store.set('a', 1, bytes(half, 1));
  store.set('a', 2, bytes(half, 2));
  store.set('a', 3, bytes(half, 3));
  store.set('a', 1, bytes(half, 4));
  store.set('a', 5, bytes(half, 5));
  expect([1, 2, 3, 5].map((key) => store.get('a', key)?.[0])).toEqual([4, undefined, 3, 5]);
});

test('bytes in the hands of a reader stay when their block is used again', () => {
  const store = createPackedStore<string>(2 * BLOCK);
  store.set('a', 'x', bytes(BLOCK - 4, 1));
  const held = store.get('a', 'x')!;
  for (const key of ['y', 'z', 'w']) store.set('a', key, bytes(BLOCK - 4, 2));
  expect([held[0], held.length, store.get('a', 'x')]).toEqual([1, BLOCK - 4, undefined]);
});

test('an entry that is too large is not kept, and neither is the one before it', () => {
  const store = createPackedStore<number>(2 * BLOCK);
  store.set('a', 1, bytes(8, 1));
  store.set('a', 1, bytes(BLOCK, 2));
  expect(store.get('a', 1)).toBeUndefined();
});

test('keys are forgotten under every label, labels with all their keys', () => {
  const store = createPackedStore<number>(2 * BLOCK);
  for (const label of ['a', 'b', 'c']) for (const key of [1, 2, 3]) store.set(label, key, bytes(4, key));
  store.forget(new Set([2, 9, 10, 11]));
  store.forget(new Set([3]));
  store.forgetLabels((label) => label === 'b');
  const kept = ['a', 'b', 'c'].flatMap((label) =>
    [1, 2, 3].flatMap((key) => (store.get(label, key) === undefined ? [] : [`${label}${key}`])),
  );
  expect(kept).toEqual(['a1', 'c1']);
  store.set('b', 2, bytes(4, 7));
  expect(store.get('b', 2)).toEqual(bytes(4, 7));
});

test('a forgotten entry does not take a later one with it when its block is used again', () => {
  const store = createPackedStore<number>(2 * BLOCK);
  store.set('a', 1, bytes(BLOCK - 4, 1));
  store.forget(new Set([1]));
  store.set('a', 1, bytes(BLOCK - 4, 2));
  store.set('a', 2, bytes(BLOCK - 4, 3));
  expect([store.get('a', 1)?.[0], store.get('a', 2)?.[0]]).toEqual([2, 3]);
});

test('lists of any length come back as they were, also after bytes of odd length', () => {
  const store = createPackedStore<number>(2 * BLOCK);
  for (const length of [0, 1, 2, 3, 99, 100]) {
    const posting = {
      skills: Uint32Array.from({ length }, (_, at) => 2 ** 32 - 1 - at),
      weights: Uint8Array.from({ length }, (_, at) => 255 - at),
    };
    store.set('odd', length, bytes(65, 1));
    store.set('list', length, packPosting(posting));
    expect(readPosting(store.get('list', length)!)).toEqual(length === 0 ? emptyPosting : posting);
  }
});
