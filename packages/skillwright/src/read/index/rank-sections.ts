// Scores candidates: BM25F over three fields (heading, path and headings above, text) with its usual constants, and the
// same for adjacent query words that are close to each other, once for the text and once for the heading. Every
// other constant that was tried improved one set of questions and worsened another by as much.

import { stemBits, type Word } from './analyze-text.ts';
import { unpackTerms } from './section-terms.ts';

/** Standard BM25 constants: saturation of repeated words, and length normalisation. */
const saturation = 1.2;
const lengthEffect = 0.75;
/** Weight of an occurrence in the heading, in occurrences in the text; the path and the headings above weigh 1. */
const headingWeight = 8;
/** Same for two adjacent words, which are stronger evidence. */
const headingPairWeight = 2;
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

/** Size of the index, and the number of sections with each query word. */
export interface Statistics {
  readonly sections: number;
  readonly averageContentLength: number;
  readonly averageHeadingLength: number;
  readonly frequencies: readonly number[];
}

/** A candidate and its score. */
export interface Ranked {
  readonly id: number;
  readonly score: number;
}

/** The candidates with their scores, in input order. */
export function rankSections(
  candidates: readonly Candidate[],
  words: readonly Word[],
  statistics: Statistics,
): Ranked[] {
  const count = createCounter(words);
  const counts = candidates.map(({ terms }) => count(terms));
  const { sections, frequencies } = statistics;
  const wordWeights = frequencies.map((frequency) => rarity(frequency, sections));
  const pairWeights = weighPairs(counts, words.length, sections);
  return candidates.map(({ id, rank }, index) => {
    const found = counts[index] as Counts;
    const contentNorm = norm(found.contentLength, statistics.averageContentLength);
    const headingNorm = norm(found.headingLength, statistics.averageHeadingLength);
    let score = 0;
    for (let word = 0; word < words.length; word++) {
      const all =
        (headingWeight * (found.heading[word] as number)) / headingNorm +
        (found.context[word] as number) +
        (found.content[word] as number) / contentNorm;
      const pairs =
        headingPairWeight * saturate((found.headingPairs[word] as number) / headingNorm) +
        saturate((found.contentPairs[word] as number) / contentNorm);
      score += (wordWeights[word] as number) * saturate(all) + (pairWeights[word] as number) * pairs;
    }
    return { id, score: score > 0 ? score : -candidateWeight * rank };
  });
}

function rarity(frequency: number, sections: number): number {
  return Math.log(1 + (Math.max(0, sections - frequency) + 0.5) / (frequency + 0.5));
}

function norm(length: number, average: number): number {
  return 1 - lengthEffect + (lengthEffect * length) / Math.max(1, average);
}

function saturate(frequency: number): number {
  return (frequency * (saturation + 1)) / (frequency + saturation);
}

/** The frequency of a pair is only known among the candidates, which are the ones that matter. */
function weighPairs(counts: readonly Counts[], pairs: number, sections: number): Float64Array {
  const frequencies = new Float64Array(pairs);
  for (const { contentPairs, headingPairs } of counts)
    for (let pair = 0; pair < pairs; pair++)
      if (contentPairs[pair] || headingPairs[pair]) frequencies[pair] = (frequencies[pair] as number) + 1;
  return frequencies.map((frequency) => rarity(frequency, sections));
}

/** Counts each query word in each field, and each pair of adjacent query words. */
interface Counts {
  readonly heading: Float64Array;
  readonly context: Float64Array;
  readonly content: Float64Array;
  readonly headingPairs: Float64Array;
  readonly contentPairs: Float64Array;
  readonly headingLength: number;
  readonly contentLength: number;
}

function createCounter(words: readonly Word[]): (terms: Uint8Array) => Counts {
  const { filter, find } = createFinder(words);
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
      const word = find(number);
      if (word < 0) continue;
      all[word] = (all[word] as number) + 1;
      last[word] = place;
      if (word > 0) addPair(pairs, word - 1, place - (last[word - 1] as number));
      if (word + 1 < words.length) addPair(pairs, word, place - (last[word + 1] as number));
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

// Looks up the words of a query among the many words of a text.

/** Looks up words by the stem of a hash. */
interface WordFinder {
  /** Non-zero at `(hash >>> 8) & filterMask` for every hash that can be found, and 0 for almost every other. */
  readonly filter: Uint8Array;
  /** Index of the word with the stem of the hash, or -1. */
  find(hash: number): number;
}

/** Size of the filter. */
const filterMask = 1023;

/** Creates the finder for the words of a query. */
function createFinder(words: readonly Word[]): WordFinder {
  const filter = new Uint8Array(filterMask + 1);
  const places = new Map<number, number>();
  words.forEach(({ hash }, place) => {
    filter[(hash >>> 8) & filterMask] = 1;
    places.set(hash & stemBits, place);
  });
  return { filter, find: (hash) => places.get(hash & stemBits) ?? -1 };
}
