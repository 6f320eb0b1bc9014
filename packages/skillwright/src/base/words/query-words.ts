// The words of a query, and how much each can say: BM25. Sections, skills and the registry score by these functions; each
// brings its own fields.

import { hashText, type Tokenizer, type Word } from './analyze-text.ts';
import { isCommonTerm } from './common-words.ts';
import { scannerFor } from './scan-runs.ts';

/** A word of a query. */
export interface QueryWord {
  readonly term: string;
  readonly hash: number;
  /** Hash of all words with the same prefix; 0 when the word is too short for one. */
  readonly beginning: number;
  /** It occurs in every kind of request and says little. */
  readonly isCommon: boolean;
}

/** Distinct words of a query without stop words, parts of compound words included. */
export function readQueryWords(query: string, tokenizer: Tokenizer = 'porter'): QueryWord[] {
  const found = new Set<string>();
  scannerFor(tokenizer)(query, ({ words, grams }) => {
    for (const { term, stop } of words.flatMap((word): Word[] => [word, ...word.parts]))
      if (!stop) found.add(term);
    for (const gram of grams) found.add(gram);
  });
  return Array.from(found, (term) => ({
    term,
    hash: hashText(term),
    beginning: hashBeginning(term),
    isCommon: isCommonTerm(term, tokenizer),
  }));
}

/** The words in order; when there are too many, the rarest. Words that no document contains come last. */
export function chooseWords(
  words: readonly QueryWord[],
  most: number,
  frequencyOf: (word: QueryWord) => number,
): readonly QueryWord[] {
  if (words.length <= most) return words;
  const ranked = words.map((word, place) => ({ word, place, frequency: frequencyOf(word) || Infinity }));
  return ranked
    .sort((a, b) => (a.frequency === b.frequency ? a.place - b.place : a.frequency - b.frequency))
    .slice(0, most)
    .sort((a, b) => a.place - b.place)
    .map(({ word }) => word);
}

/** Hashes of the adjacent pairs of some words. */
export function pairsOf(words: readonly QueryWord[]): number[] {
  return words.slice(1).map(({ hash }, before) => hashPair(words[before]?.hash ?? 0, hash));
}

/** Hash of two consecutive words. */
export function hashPair(first: number, second: number): number {
  return (Math.imul(first, 0x01000193) ^ second ^ 0x9e3779b9) | 0;
}

/** Length of a prefix in letters. */
export const BEGINNING = 5;

/** Hash shared by words with the same prefix; 0 when the word is no longer than a prefix. */
export function hashBeginning(term: string): number {
  return term.length > BEGINNING ? ~hashText(term, BEGINNING) : 0;
}

/** Weight of a common word, and of a word that only begins like one of the query. */
export const commonFactor = 0.5;
export const beginningFactor = 0.5;

/** How much a word says that `frequency` of all documents contain. */
export function rarity(frequency: number, documents: number): number {
  return Math.log(1 + (Math.max(0, documents - frequency) + 0.5) / (frequency + 0.5));
}

/** More mentions say less and less more: 1 for one of ordinary weight, never 2. */
export function saturate(mentions: number): number {
  return (2 * mentions) / (mentions + 1);
}
