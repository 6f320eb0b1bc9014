// Scores documents by the words of a query: BM25 over weighted words. Shared prefixes and adjacent word pairs count too.

import {
  beginningFactor,
  commonFactor,
  pairsOf,
  type QueryWord,
  rarity,
  saturate,
} from '../../base/words/index.ts';
import { WEIGHT_UNIT } from './skill-words.ts';

/** Weight of two adjacent words. */
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
      const evidence = most * saturate((weights[at] as number) / WEIGHT_UNIT);
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
      ideal += 2 * sources[0].most;
      for (const { postings, most } of sources) raise(postings, most);
      // A word counts once: where it occurs itself, words with its prefix add nothing.
      for (const { postings } of sources) settle(postings);
    }
    for (const hash of pairsOf(words)) {
      const pair = find(hash);
      raise(pair, pairFactor * rarity(pair.frequency, skills));
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
  return 2 * sourcesOf(word, words)[0].most;
}

/** How much one word says for one document. */
export function evidenceOf(
  word: QueryWord,
  { words, document }: { readonly words: Pick<Words, 'skills' | 'find'>; readonly document: number },
): number {
  const found = sourcesOf(word, words).map(({ postings: { documents, weights }, most }) => {
    const at = documents.indexOf(document);
    return at === -1 ? 0 : most * saturate((weights[at] as number) / WEIGHT_UNIT);
  });
  return Math.max(...found);
}

/** Postings that speak for a word, and what one mention of ordinary weight says: of the word itself, then of words with its prefix. */
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
    { postings: own, most: factor * rarity(own.frequency, skills) },
    { postings: kin, most: factor * beginningFactor * rarity(frequency, skills) },
  ];
}

interface WordSource {
  readonly postings: Postings;
  readonly most: number;
}
