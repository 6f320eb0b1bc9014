// Weighing candidates: BM25 over three fields (heading, path and headings above, text), with the same for neighbouring
// words of the query that stand near each other, and a little for words in the very form of the query, for sections
// with more of its words, and for sections of a file whose sections match well. The numbers below lie in the middle of
// wide plateaus: what was kept helped on questions, on sentences and on headings that were taken out of real skills,
// and at random settings of everything else. None is worth another digit.

import type { Word } from './analyze-text.ts';
import { createFinder, filterMask } from './find-word.ts';
import { ROWS_PER_FILE } from './schema.ts';
import { unpackTerms } from './section-terms.ts';

const saturation = 5;
const contentLengthEffect = 0.65;
const headingLengthEffect = 0.5;
const headingWeight = 8;
const contextWeight = 2;
/** What a word of the text is worth in addition when it is not only of the same stem. */
const formWeight = 0.15;
const pairWeight = 1;
/** How many words apart two words still count as neighbours, stop words not counted. */
const pairDistance = 2;
/** The power of the share of the query's words that a section has, each by its weight. */
const coverageEffect = 0.15;
/** What the average of the candidates of the same file adds. */
const fileWeight = 0.2;
/** A heading with nothing of its own below it answers less than a section with text. */
const emptySectionFactor = 0.5;
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
  const allWeights = wordWeights.reduce((sum, weight, word) => (frequencies[word] ? sum + weight : sum), 0);
  const pairWeights = weighPairs(counts, words.length, sections);
  const scores = counts.map((found) => {
    const contentNorm = norm(found.contentLength, statistics.averageContentLength, contentLengthEffect);
    const headingNorm = norm(found.headingLength, statistics.averageHeadingLength, headingLengthEffect);
    let score = 0;
    let foundWeights = 0;
    for (let word = 0; word < words.length; word++) {
      const weight = wordWeights[word] as number;
      const all =
        (headingWeight * (found.heading[word] as number)) / headingNorm +
        contextWeight * (found.context[word] as number) +
        (found.content[word] as number) / contentNorm;
      const pairs =
        (headingWeight * (found.headingPairs[word] as number)) / headingNorm +
        (found.contentPairs[word] as number) / contentNorm;
      const forms = (found.forms[word] as number) / contentNorm;
      if (all > 0) foundWeights += weight;
      score += weight * (saturate(all) + formWeight * saturate(forms));
      score += (pairWeights[word] as number) * saturate(pairs);
    }
    if (score > 0) score *= (foundWeights / allWeights) ** coverageEffect;
    return found.contentLength === 0 ? score * emptySectionFactor : score;
  });
  const averages = averageByFile(candidates, scores);
  return candidates.map(({ id, rank }, index) => {
    const score = scores[index] as number;
    const average = averages.get(fileOf(id)) ?? 0;
    return { id, score: score > 0 ? score + fileWeight * average : -candidateWeight * rank };
  });
}

function rarity(frequency: number, sections: number): number {
  return Math.log(1 + (Math.max(0, sections - frequency) + 0.5) / (frequency + 0.5));
}

function norm(length: number, average: number, effect: number): number {
  return 1 - effect + (effect * length) / Math.max(1, average);
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
  return frequencies.map((frequency) => pairWeight * rarity(frequency, sections));
}

function fileOf(id: number): number {
  return Math.floor(id / ROWS_PER_FILE);
}

function averageByFile(candidates: readonly Candidate[], scores: readonly number[]): Map<number, number> {
  const sums = new Map<number, { sum: number; count: number }>();
  candidates.forEach(({ id }, index) => {
    const { sum, count } = sums.get(fileOf(id)) ?? { sum: 0, count: 0 };
    sums.set(fileOf(id), { sum: sum + (scores[index] as number), count: count + 1 });
  });
  return new Map(Array.from(sums, ([file, { sum, count }]) => [file, sum / count]));
}

/** How often each word of the query occurs in each field, and each pair of it and the next word. */
interface Counts {
  readonly heading: Float64Array;
  readonly context: Float64Array;
  readonly content: Float64Array;
  /** Those of the content that have the form of the query. */
  readonly forms: Float64Array;
  readonly headingPairs: Float64Array;
  readonly contentPairs: Float64Array;
  readonly headingLength: number;
  readonly contentLength: number;
}

function createCounter(words: readonly Word[]): (terms: Uint8Array) => Counts {
  const { filter, find } = createFinder(words);
  const forms = words.map((word) => word.hash);
  // The last place of each word in the field at hand; a negative one is too far away to be near anything.
  const last = new Int32Array(words.length);
  const addPair = (pairs: Float64Array, pair: number, distance: number): void => {
    if (distance <= pairDistance) pairs[pair] = (pairs[pair] as number) + 1 / distance;
  };
  const count = (
    terms: Int32Array,
    into: { all: Float64Array; forms: Float64Array; pairs: Float64Array },
  ) => {
    const { all, pairs } = into;
    last.fill(-pairDistance - 1);
    for (let place = 0; place < terms.length; place++) {
      const number = terms[place] as number;
      // A call for each word of each candidate would be most of the time of a first search.
      if (filter[(number >>> 8) & filterMask] === 0) continue;
      const word = find(number);
      if (word < 0) continue;
      all[word] = (all[word] as number) + 1;
      if (number === forms[word]) into.forms[word] = (into.forms[word] as number) + 1;
      last[word] = place;
      if (word > 0) addPair(pairs, word - 1, place - (last[word - 1] as number));
      if (word + 1 < words.length) addPair(pairs, word, place - (last[word + 1] as number));
    }
  };

  return (bytes) => {
    const { heading, context, content } = unpackTerms(bytes);
    const numbers = new Float64Array(8 * words.length);
    const field = (index: number) => numbers.subarray(index * words.length, (index + 1) * words.length);
    const counts: Counts = {
      heading: field(0),
      context: field(1),
      content: field(2),
      forms: field(3),
      headingPairs: field(4),
      contentPairs: field(5),
      headingLength: heading.length,
      contentLength: content.length,
    };
    const ignored = { forms: field(6), pairs: field(7) };
    count(heading, { ...ignored, all: counts.heading, pairs: counts.headingPairs });
    count(context, { ...ignored, all: counts.context });
    count(content, { all: counts.content, forms: counts.forms, pairs: counts.contentPairs });
    return counts;
  };
}
