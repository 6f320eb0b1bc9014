// Looks up the words of a query among the many words of a text.

import { stemBits, type Word } from './analyze-text.ts';

/** Looks up words by the stem of a hash. */
export interface WordFinder {
  /** Non-zero at `(hash >>> 8) & filterMask` for every hash that can be found, and 0 for almost every other. */
  readonly filter: Uint8Array;
  /** Index of the word with the stem of the hash, or -1. */
  find(hash: number): number;
}

/** Size of the filter. */
export const filterMask = 1023;

/** Creates the finder for the words of a query. */
export function createFinder(words: readonly Word[]): WordFinder {
  const filter = new Uint8Array(filterMask + 1);
  const places = new Map<number, number>();
  words.forEach(({ hash }, place) => {
    filter[(hash >>> 8) & filterMask] = 1;
    places.set(hash & stemBits, place);
  });
  return { filter, find: (hash) => places.get(hash & stemBits) ?? -1 };
}
