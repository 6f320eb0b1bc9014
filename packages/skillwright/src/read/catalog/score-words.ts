// Scores documents by the words of a query: BM25 over weighted words. Shared prefixes and adjacent word pairs count too.

import { createScanner, type RunScanner, type Word } from '../index/index.ts';
import { commonTerms } from './common-words.ts';
import { hashBeginning, hashPair, hashText } from './hash-words.ts';
import { WEIGHT_UNIT } from './skill-words.ts';

// Each number is in the middle of a wide plateau, for short descriptions and for skills with bodies alike.
const saturation = 1;
/** Weight of a common word, and of evidence other than the word itself. */
const commonFactor = 0.5;
const beginningFactor = 0.5;
const pairFactor = 0.5;

/** Documents that contain one word, with its weight in each. */
export interface Postings {
  readonly documents: Uint32Array;
  readonly weights: Uint8Array;
  /** Number of skills. */
  readonly frequency: number;
}

/** Where words are looked up. */
export interface Words {
  /** Number of skills. */
  readonly skills: number;
  /** Upper bound of document numbers. */
  readonly size: number;
  find(hash: number): Postings;
}

/** A word of a query. */
export interface QueryWord {
  readonly hash: number;
  /** Hash of all words with the same prefix; 0 when the word is too short for one. */
  readonly beginning: number;
  /** It occurs in every kind of request and says little. */
  readonly isCommon: boolean;
}

let scanner: RunScanner | undefined;
let common: ReadonlySet<number> | undefined;

/** Distinct words of a query without stop words, parts of compound words included. */
export function readQueryWords(query: string): QueryWord[] {
  scanner ??= createScanner('porter');
  common ??= new Set([...commonTerms()].map((term) => hashText(term)));
  const found = new Map<number, string>();
  scanner(query, ({ words, grams }) => {
    for (const { term, stop } of words.flatMap((word): Word[] => [word, ...word.parts]))
      if (!stop) found.set(hashText(term), term);
    for (const gram of grams) found.set(hashText(gram), gram);
  });
  const known = common;
  return Array.from(found, ([hash, term]) => ({
    hash,
    beginning: hashBeginning(term),
    isCommon: known.has(hash),
  }));
}

/** The words in order; when there are too many, the rarest. Words that no skill contains come last. */
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

/** Scores by document: 0 for no match, up to 1 for a perfect match. */
export function createWordScorer({
  skills,
  size,
  find,
}: Words): (words: readonly QueryWord[]) => Float32Array {
  const sums = new Float32Array(size);
  const best = new Float32Array(size);

  const rarity = (frequency: number): number => rarityOf(frequency, skills);

  /** Raises the best evidence for a word in each document of some postings. */
  const raise = ({ documents, weights }: Postings, factor: number, frequency: number): void => {
    const most = factor * rarity(frequency) * (saturation + 1);
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at] as number;
      const weight = (weights[at] as number) / WEIGHT_UNIT;
      const evidence = (most * weight) / (weight + saturation);
      if (evidence > (best[document] as number)) best[document] = evidence;
    }
  };
  const settle = ({ documents }: Postings): void => {
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at] as number;
      sums[document] = (sums[document] as number) + (best[document] as number);
      best[document] = 0;
    }
  };

  return (words) => {
    sums.fill(0);
    let ideal = 0;
    for (const word of words) {
      const { hash, beginning, isCommon } = word;
      const factor = isCommon ? commonFactor : 1;
      const own = find(hash);
      ideal += idealOf(word, { skills, find });
      raise(own, factor, own.frequency);
      // Words with the same prefix count as at least as common as the word itself.
      const kin = find(beginning);
      raise(kin, factor * beginningFactor, Math.max(own.frequency, kin.frequency));
      // A word counts once: where it occurs itself, words with its prefix add nothing.
      settle(own);
      settle(kin);
    }
    for (const hash of pairsOf(words)) {
      const pair = find(hash);
      raise(pair, pairFactor, pair.frequency);
      settle(pair);
    }
    const scores = new Float32Array(size);
    if (ideal > 0)
      for (let document = 0; document < size; document++) {
        const sum = sums[document] as number;
        if (sum > 0) scores[document] = 1 - 2 ** ((-2 * sum) / ideal);
      }
    return scores;
  };
}

function rarityOf(frequency: number, skills: number): number {
  return Math.log(1 + Math.max(0, skills - frequency + 0.5) / (frequency + 0.5));
}

/** How much one word could say at most for a document. */
export function idealOf(
  { hash, isCommon }: QueryWord,
  { skills, find }: Pick<Words, 'skills' | 'find'>,
): number {
  return (isCommon ? commonFactor : 1) * rarityOf(find(hash).frequency, skills) * (saturation + 1);
}

/** How much one word says for one document. */
export function evidenceOf(
  { hash, beginning, isCommon }: QueryWord,
  { words: { skills, find }, document }: { readonly words: Words; readonly document: number },
): number {
  const factor = isCommon ? commonFactor : 1;
  const own = find(hash);
  const kin = find(beginning);
  const within = ({ documents, weights }: Postings, share: number, frequency: number): number => {
    const at = documents.indexOf(document);
    const weight = at === -1 ? 0 : (weights[at] as number) / WEIGHT_UNIT;
    return (share * rarityOf(frequency, skills) * (saturation + 1) * weight) / (weight + saturation);
  };
  return Math.max(
    within(own, factor, own.frequency),
    within(kin, factor * beginningFactor, Math.max(own.frequency, kin.frequency)),
  );
}
