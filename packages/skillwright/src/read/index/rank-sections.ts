// Scores candidates: BM25F over three fields (heading, path and headings above, text), and the same for adjacent query words
// that are close to each other. The constants are few and round: on questions about skills that nobody had looked at,
// every finer choice was within noise.

import { rarity, saturate } from '../../base/words/index.ts';
import { unpackTerms } from './section-terms.ts';

/** Weight of a mention in the heading; elsewhere it is 1. */
const headingWeight = 2;
/** The higher, the more do further mentions say. */
const saturation = 1.5;
/** How much a long text dilutes its words, from 0 to 1. */
const lengthEffect = 0.75;
/** Weight of adjacent words in the heading and in the text; single words weigh 1. */
const headingPairWeight = 2;
const contentPairWeight = 0.5;
/** Largest distance at which two words count as adjacent, stop words not counted. */
const pairDistance = 2;
/**
 * Weight of FTS5's own rank when there is nothing else, as between stop words. Otherwise it is ignored: FTS5 does
 * not take deleted rows off its averages, so an updated index ranks slightly differently.
 */
const candidateWeight = 0.01;

/** A section that matched, with FTS5's rank (lower is better). */
export interface Candidate {
  readonly id: number;
  readonly rank: number;
  readonly terms: Uint8Array;
}

/** A word to look for. */
export interface SoughtWord {
  /** Every number that stands for it: its own, those of its character pairs, or those of words used instead. */
  readonly hashes: readonly number[];
  /** Numbers of other words that count as a fraction of it. */
  readonly related: readonly { readonly hash: number; readonly factor: number }[];
  /** Number of sections with the word. */
  readonly frequency: number;
  readonly weight: number;
}

/** Size of the index. */
export interface Statistics {
  readonly sections: number;
  readonly averageContentLength: number;
  readonly averageHeadingLength: number;
}

/** How a candidate fits a query. */
export interface Ranked {
  readonly id: number;
  readonly score: number;
  /** For each word, whether the section has it in any field. */
  readonly has: readonly boolean[];
  /** Whether its heading has all the words, and whether it has no others. */
  readonly heading: 'exact' | 'full' | 'other';
}

/** The candidates with their scores, in input order. */
export function rankSections(
  candidates: readonly Candidate[],
  words: readonly SoughtWord[],
  { sections, averageContentLength, averageHeadingLength }: Statistics,
): Ranked[] {
  const count = createCounter(words);
  const counts = candidates.map(({ terms }) => count(terms));
  const wordWeights = words.map(({ frequency, weight }) => weight * rarity(frequency, sections));
  const pairWeights = weighPairs(counts, words.length, sections);
  return candidates.map(({ id, rank }, index) => {
    const found = counts[index] as Counts;
    const fields = [found.heading, found.context, found.content] as const;
    const contentNorm = norm(found.contentLength, averageContentLength);
    const headingNorm = norm(found.headingLength, averageHeadingLength);
    let score = 0;
    for (let word = 0; word < words.length; word++) {
      const [heading = 0, context = 0, content = 0] = fields.map((field) => field[word]);
      const mentions = (headingWeight * heading) / headingNorm + context + content / contentNorm;
      const pairs =
        headingPairWeight * saturate((found.headingPairs[word] as number) / headingNorm) +
        contentPairWeight * saturate((found.contentPairs[word] as number) / contentNorm);
      const evidence = ((saturation + 1) * mentions) / (mentions + saturation);
      score += (wordWeights[word] as number) * evidence + (pairWeights[word] as number) * pairs;
    }
    const isTitle = found.heading.every((mentions) => mentions >= 1);
    const isExact =
      isTitle && found.heading.reduce((sum, mentions) => sum + mentions) === found.headingLength;
    return {
      id,
      score: score > 0 ? score : -candidateWeight * rank,
      has: words.map((_, word) => fields.some((field) => (field[word] as number) >= 1)),
      heading: isExact ? 'exact' : isTitle ? 'full' : 'other',
    };
  });
}

function norm(length: number, average: number): number {
  return 1 - lengthEffect + (lengthEffect * length) / Math.max(1, average);
}

/** The frequency of a pair is only known among the candidates, which are the ones that matter. */
function weighPairs(counts: readonly Counts[], pairs: number, sections: number): Float64Array {
  const frequencies = new Float64Array(pairs);
  for (const { contentPairs, headingPairs } of counts)
    for (let pair = 0; pair < pairs; pair++)
      if (contentPairs[pair] || headingPairs[pair]) frequencies[pair] = (frequencies[pair] as number) + 1;
  return frequencies.map((frequency) => rarity(frequency, sections));
}

/** Counts each query word in each field, related words as fractions, and each pair of adjacent query words. */
interface Counts {
  readonly heading: Float64Array;
  readonly context: Float64Array;
  readonly content: Float64Array;
  readonly headingPairs: Float64Array;
  readonly contentPairs: Float64Array;
  readonly headingLength: number;
  readonly contentLength: number;
}

/** Size of the filter: non-zero for every hash that can be found, and 0 for almost every other. */
const filterMask = 1023;

function createCounter(words: readonly SoughtWord[]): (terms: Uint8Array) => Counts {
  const filter = new Uint8Array(filterMask + 1);
  /** Words that a number stands for: at most one wholly, others by a fraction. */
  const meanings = new Map<number, { place: number; factor: number }[]>();
  words.forEach(({ hashes, related }, place) => {
    for (const { hash, factor } of [...hashes.map((hash) => ({ hash, factor: 1 })), ...related]) {
      filter[(hash >>> 8) & filterMask] = 1;
      const meant = meanings.get(hash) ?? [];
      if (factor < 1 || meant.every((other) => other.factor < 1)) meant.push({ place, factor });
      meanings.set(hash, meant);
    }
  });
  // Last position of each word in the current field; a negative one is too far away to be near anything.
  const last = new Int32Array(words.length);
  const addPair = (pairs: Float64Array, pair: number, distance: number): void => {
    if (distance <= pairDistance) pairs[pair] = (pairs[pair] as number) + 1 / distance;
  };
  const count = (terms: Int32Array, all: Float64Array, pairs: Float64Array) => {
    last.fill(-pairDistance - 1);
    for (let place = 0; place < terms.length; place++) {
      const number = terms[place] as number;
      // Inlined: a call for each word of each candidate would take most of the time of a first search.
      if (filter[(number >>> 8) & filterMask] === 0) continue;
      for (const { place: word, factor } of meanings.get(number) ?? []) {
        all[word] = (all[word] as number) + factor;
        if (factor < 1) continue;
        last[word] = place;
        if (word > 0) addPair(pairs, word - 1, place - (last[word - 1] as number));
        if (word + 1 < words.length) addPair(pairs, word, place - (last[word + 1] as number));
      }
    }
  };

  return (bytes) => {
    const { heading, context, content } = unpackTerms(bytes);
    const numbers = new Float64Array(6 * words.length);
    const field = (index: number) => numbers.subarray(index * words.length, (index + 1) * words.length);
    const counts: Counts = {
      heading: field(0),
      context: field(1),
      content: field(2),
      headingPairs: field(3),
      contentPairs: field(4),
      headingLength: heading.length,
      contentLength: content.length,
    };
    count(heading, counts.heading, counts.headingPairs);
    // Words of the path and of the headings above are a set: their order does not matter.
    count(context, counts.context, field(5));
    count(content, counts.content, counts.contentPairs);
    return counts;
  };
}
