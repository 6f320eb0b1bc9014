// Weighing candidates: BM25F over three fields (heading, path and headings above, text) with its usual constants, and the
// same for neighbouring words of the query that stand near each other, once for the text and once for the heading. Every
// other constant that was tried made one set of questions better and another worse by as much.

import type { Word } from './analyze-text.ts';
import { createFinder, filterMask } from './find-word.ts';
import { unpackTerms } from './section-terms.ts';

/** As BM25 is used everywhere: how soon further occurrences add nothing, and how much of its length a field pays for. */
const saturation = 1.2;
const lengthEffect = 0.75;
/** How many occurrences in the text one in the heading is worth; one in the path or in a heading above is worth one. */
const headingWeight = 8;
/** The same for two neighbouring words, which say more already. */
const headingPairWeight = 2;
/** How many words apart two words still count as neighbours, stop words not counted. */
const pairDistance = 2;
/**
 * What FTS5's own rank is worth where there is nothing else, as between stop words. Otherwise it stays out: FTS5 does
 * not take deleted rows off its averages, so an index that was updated ranks a little differently.
 */
const candidateWeight = 0.01;

/** A section that matched, with FTS5's rank (lower is better). */
export interface Candidate {
  readonly id: number;
  readonly rank: number;
  readonly terms: Uint8Array;
}

/** The size of the index, and in how many sections each word of the query occurs. */
export interface Statistics {
  readonly sections: number;
  readonly averageContentLength: number;
  readonly averageHeadingLength: number;
  readonly frequencies: readonly number[];
}

/** A candidate and its weight. */
export interface Ranked {
  readonly id: number;
  readonly score: number;
}

/** The candidates with their scores, in the order they came. */
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

/** In how many sections a pair occurs is known for the candidates only. Those are the ones that matter. */
function weighPairs(counts: readonly Counts[], pairs: number, sections: number): Float64Array {
  const frequencies = new Float64Array(pairs);
  for (const { contentPairs, headingPairs } of counts)
    for (let pair = 0; pair < pairs; pair++)
      if (contentPairs[pair] || headingPairs[pair]) frequencies[pair] = (frequencies[pair] as number) + 1;
  return frequencies.map((frequency) => rarity(frequency, sections));
}

/** How often each word of the query occurs in each field, and each pair of it and the next word. */
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
  // The last place of each word in the field at hand; a negative one is too far away to be near anything.
  const last = new Int32Array(words.length);
  const addPair = (pairs: Float64Array, pair: number, distance: number): void => {
    if (distance <= pairDistance) pairs[pair] = (pairs[pair] as number) + 1 / distance;
  };
  const count = (terms: Int32Array, all: Float64Array, pairs: Float64Array) => {
    last.fill(-pairDistance - 1);
    for (let place = 0; place < terms.length; place++) {
      const number = terms[place] as number;
      // A call for each word of each candidate would be most of the time of a first search.
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
    // Words of the path and of the headings above are a set: their order says nothing.
    count(context, counts.context, field(5));
    count(content, counts.content, counts.contentPairs);
    return counts;
  };
}
