// Words as hashes: by their stems, by how they begin, and two in a row.

import type { Analysis } from '../index/index.ts';

/** How many letters of a word are its beginning. */
const BEGINNING = 5;

/** The hashes of the words of a run and of their parts, stop words left out, and of the pairs of its characters. */
export function hashAnalysis({ words, grams }: Analysis): number[] {
  const hashes: number[] = [];
  for (const word of words) {
    if (!word.stop) hashes.push(hashText(word.term));
    for (const part of word.parts) if (!part.stop) hashes.push(hashText(part.term));
  }
  for (const gram of grams) hashes.push(hashText(gram));
  return hashes;
}

/** The hash under which words that begin like this one are found; 0 when it is no longer than that. */
export function hashBeginning(term: string): number {
  return term.length > BEGINNING ? ~hashText(term, BEGINNING) : 0;
}

/** The hash of two words that follow each other. */
export function hashPair(first: number, second: number): number {
  return (Math.imul(first, 0x01000193) ^ second ^ 0x9e3779b9) | 0;
}

/** FNV-1a over the first UTF-16 code units, all unless told, as a signed 32-bit number. */
export function hashText(text: string, length = text.length): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}
