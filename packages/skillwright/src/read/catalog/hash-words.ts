// Words as numbers: by their stems, by how they begin, and two in a row.

import type { Analysis } from '../index/index.ts';

/** The numbers of the words of a run and of their parts, stop words left out, and of the pairs of its characters. */
export type WordHasher = (analysis: Analysis) => readonly number[];

/** How many letters of a word are its beginning. */
const BEGINNING = 5;

const MAX_KNOWN = 2 ** 17;

/** Makes a hasher that remembers what it has hashed: most runs of a text were met before. */
export function createWordHasher(): WordHasher {
  const known = new Map<Analysis, readonly number[]>();
  return (analysis) => {
    const before = known.get(analysis);
    if (before !== undefined) return before;
    const hashes = hashAnalysis(analysis);
    if (known.size === MAX_KNOWN) known.clear();
    known.set(analysis, hashes);
    return hashes;
  };
}

/** The numbers of one run. */
export function hashAnalysis({ words, grams }: Analysis): number[] {
  const all = words.flatMap((word) => [word, ...word.parts]).filter(({ stop }) => !stop);
  return [...all.map(({ term }) => term), ...grams].map(hashText);
}

/** The number under which words that begin like this one are found; undefined when it is no longer than that. */
export function hashBeginning(term: string): number | undefined {
  return term.length > BEGINNING ? hashText(`${term.slice(0, BEGINNING)}*`) : undefined;
}

/** The number of two words that follow each other. */
export function hashPair(first: number, second: number): number {
  return (Math.imul(first, 0x01000193) ^ second ^ 0x9e3779b9) | 0;
}

/** FNV-1a over UTF-16 code units, as a signed 32-bit number. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}
