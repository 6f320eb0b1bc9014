// Looking up the words of a query among the many words of a text.

import { stemBits, type Word } from './analyze-text.ts';

/** Looks up words by the stem of a hash. */
export interface WordFinder {
  /** Not 0 in the place `(hash >>> 8) & filterMask` for every hash that can be found; for nearly every other it is 0. */
  readonly filter: Uint8Array;
  /** Which of the words has the stem of the hash, or -1. */
  find(hash: number): number;
}

/** The places of the filter. */
export const filterMask = 1023;

/** Makes the finder for the words of a query. */
export function createFinder(words: readonly Word[]): WordFinder {
  const filter = new Uint8Array(filterMask + 1);
  const places = new Map<number, number>();
  words.forEach(({ hash }, place) => {
    filter[(hash >>> 8) & filterMask] = 1;
    places.set(hash & stemBits, place);
  });
  return { filter, find: (hash) => places.get(hash & stemBits) ?? -1 };
}
