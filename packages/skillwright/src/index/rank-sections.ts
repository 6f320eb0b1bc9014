// Weighing candidates: BM25 over three fields (heading, path and headings above, text) plus the same for neighbouring
// words of the query that stand near each other in a section. The numbers below lie in the middle of wide plateaus,
// found on random halves of the questions that `bench/section-retrieval.ts` measures; none is worth another digit.

import type { Word } from './analyze-text.ts';
import { type TermVectors, unpackTerms } from './section-terms.ts';

const saturation = 5;
const contentLengthEffect = 0.65;
const headingLengthEffect = 0.5;
const headingWeight = 8;
const contextWeight = 2;
const pairWeight = 1;
/** How many words apart two words still count as neighbours, stop words not counted. */
const pairDistance = 2;
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
  const counter = createCounter(words);
  const counts = candidates.map((candidate) => counter(unpackTerms(candidate.terms)));
  const wordWeights = statistics.frequencies.map((frequency) => rarity(frequency, statistics.sections));
  // In how many sections a pair occurs is known for the candidates only. Those are the ones that matter.
  const pairFrequencies = new Float64Array(words.length);
  for (const { contentPairs, headingPairs } of counts)
    for (let pair = 0; pair < words.length; pair++)
      if (contentPairs[pair] || headingPairs[pair])
        pairFrequencies[pair] = (pairFrequencies[pair] as number) + 1;
  const pairWeights = pairFrequencies.map((frequency) => pairWeight * rarity(frequency, statistics.sections));
  return candidates.map((candidate, index) => {
    const count = counts[index] as Counts;
    const contentNorm = norm(count.contentLength, statistics.averageContentLength, contentLengthEffect);
    const headingNorm = norm(count.headingLength, statistics.averageHeadingLength, headingLengthEffect);
    let score = 0;
    for (let word = 0; word < words.length; word++) {
      const inHeading = (headingWeight * (count.heading[word] ?? 0)) / headingNorm;
      const inContext = contextWeight * (count.context[word] ?? 0);
      const inContent = (count.content[word] ?? 0) / contentNorm;
      score += (wordWeights[word] ?? 0) * saturate(inHeading + inContext + inContent);
      const pairs =
        (headingWeight * (count.headingPairs[word] ?? 0)) / headingNorm +
        (count.contentPairs[word] ?? 0) / contentNorm;
      score += (pairWeights[word] ?? 0) * saturate(pairs);
    }
    if (count.contentLength === 0) score *= emptySectionFactor;
    return { id: candidate.id, score: score > 0 ? score : -candidateWeight * candidate.rank };
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

function createCounter(words: readonly Word[]): (vectors: TermVectors) => Counts {
  const find = createFinder(words.map((word) => word.hash));

  // The last place of each word in the field at hand; a negative one is too far away to be near anything.
  const last = new Int32Array(words.length);
  const count = (terms: Int32Array, single: Float64Array, pairs: Float64Array): void => {
    last.fill(-pairDistance - 1);
    const addPair = (pair: number, distance: number): void => {
      if (distance <= pairDistance) pairs[pair] = (pairs[pair] as number) + 1 / distance;
    };
    for (let place = 0; place < terms.length; place++) {
      const word = find(terms[place] as number);
      if (word < 0) continue;
      single[word] = (single[word] as number) + 1;
      last[word] = place;
      if (word > 0) addPair(word - 1, place - (last[word - 1] as number));
      if (word + 1 < words.length) addPair(word, place - (last[word + 1] as number));
    }
  };

  return ({ heading, context, content }) => {
    const empty = () => new Float64Array(words.length);
    const counts: Counts = {
      heading: empty(),
      context: empty(),
      content: empty(),
      headingPairs: empty(),
      contentPairs: empty(),
      headingLength: heading.length,
      contentLength: content.length,
    };
    count(heading, counts.heading, counts.headingPairs);
    count(context, counts.context, empty());
    count(content, counts.content, counts.contentPairs);
    return counts;
  };
}

/** A lookup among few numbers that costs one array access for nearly every other number. */
function createFinder(hashes: readonly number[]): (hash: number) => number {
  const mask = 2 ** Math.ceil(Math.log2(hashes.length * 8 + 1)) - 1;
  const slots = new Int16Array(mask + 1).fill(-1);
  hashes.forEach((hash, index) => {
    let slot = hash & mask;
    while ((slots[slot] as number) >= 0) slot = (slot + 1) & mask;
    slots[slot] = index;
  });
  return (hash) => {
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const index = slots[slot] as number;
      if (index < 0 || hashes[index] === hash) return index;
    }
  };
}
