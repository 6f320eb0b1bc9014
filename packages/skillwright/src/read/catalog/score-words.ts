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

  /** Raises the best evidence in each document of some postings, up to `most`. */
  const raise = ({ documents, weights }: Postings, most: number): void => {
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at] as number;
      const evidence = saturated(most, weights[at] as number);
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
      const sources = sourcesOf(word, { skills, find });
      ideal += sources[0].most;
      for (const { postings, most } of sources) raise(postings, most);
      // A word counts once: where it occurs itself, words with its prefix add nothing.
      for (const { postings } of sources) settle(postings);
    }
    for (const hash of pairsOf(words)) {
      const pair = find(hash);
      raise(pair, mostFor(pair.frequency, skills, pairFactor));
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

/** How much one word could say at most for a document. */
export function idealOf(word: QueryWord, words: Pick<Words, 'skills' | 'find'>): number {
  return sourcesOf(word, words)[0].most;
}

/** How much one word says for one document. */
export function evidenceOf(
  word: QueryWord,
  { words, document }: { readonly words: Pick<Words, 'skills' | 'find'>; readonly document: number },
): number {
  const found = sourcesOf(word, words).map(({ postings: { documents, weights }, most }) => {
    const at = documents.indexOf(document);
    return at === -1 ? 0 : saturated(most, weights[at] as number);
  });
  return Math.max(...found);
}

/** Postings that speak for a word, and the most each can say: of the word itself, then of words with its prefix. */
function sourcesOf(
  { hash, beginning, isCommon }: QueryWord,
  { skills, find }: Pick<Words, 'skills' | 'find'>,
): readonly [WordSource, WordSource] {
  const factor = isCommon ? commonFactor : 1;
  const own = find(hash);
  const kin = find(beginning);
  // Words with the same prefix count as at least as common as the word itself.
  const frequency = Math.max(own.frequency, kin.frequency);
  return [
    { postings: own, most: mostFor(own.frequency, skills, factor) },
    { postings: kin, most: mostFor(frequency, skills, factor * beginningFactor) },
  ];
}

interface WordSource {
  readonly postings: Postings;
  readonly most: number;
}

/** The most that a word in `frequency` of all skills can say. */
function mostFor(frequency: number, skills: number, factor: number): number {
  const rarity = Math.log(1 + Math.max(0, skills - frequency + 0.5) / (frequency + 0.5));
  return factor * rarity * (saturation + 1);
}

/** More occurrences say less and less more. */
function saturated(most: number, stored: number): number {
  const weight = stored / WEIGHT_UNIT;
  return (most * weight) / (weight + saturation);
}
