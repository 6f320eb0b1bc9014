// Hashes of words: by stem, by prefix, and in pairs.

import type { Analysis } from '../index/index.ts';

/** Length of a prefix in letters. */
const BEGINNING = 5;

/** Hashes of the words of a run and their parts, without stop words, and of its character pairs. */
export function hashAnalysis({ words, grams }: Analysis): number[] {
  const hashes: number[] = [];
  for (const word of words) {
    if (!word.stop) hashes.push(hashText(word.term));
    for (const part of word.parts) if (!part.stop) hashes.push(hashText(part.term));
  }
  for (const gram of grams) hashes.push(hashText(gram));
  return hashes;
}

/** Hash shared by words with the same prefix; 0 when the word is no longer than a prefix. */
export function hashBeginning(term: string): number {
  return term.length > BEGINNING ? ~hashText(term, BEGINNING) : 0;
}

/** Hash of two consecutive words. */
export function hashPair(first: number, second: number): number {
  return (Math.imul(first, 0x01000193) ^ second ^ 0x9e3779b9) | 0;
}

/** FNV-1a over the first UTF-16 code units, by default all, as a signed 32-bit number. */
export function hashText(text: string, length = text.length): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}
