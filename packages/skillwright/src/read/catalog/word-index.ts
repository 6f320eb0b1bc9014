// From words to the skills that have them, in a few large arrays.

import type { SkillWords } from './skill-words.ts';

/** The skills that have one word, with its weight in each. */
export interface Postings {
  readonly skills: Uint32Array;
  readonly weights: Uint8Array;
}

/** Which skills have a word. */
export interface WordIndex {
  /** How many skills there are. */
  readonly size: number;
  find(hash: number): Postings;
}

const noPostings: Postings = { skills: new Uint32Array(0), weights: new Uint8Array(0) };

/** Turns the words of skills around. The vectors are used up: there may be millions of words, and no room for a copy. */
export function buildWordIndex(vectors: readonly SkillWords[]): WordIndex {
  const total = vectors.reduce((sum, { hashes }) => sum + hashes.length, 0);
  const terms = createTermTable();
  // Each hash gives way to the number of its term, so that it is looked up once. Copies of a skill share their words.
  const numbered = new Set<SkillWords>();
  for (const vector of vectors) {
    const { hashes } = vector;
    if (numbered.has(vector)) terms.countAgain(hashes);
    else
      for (let index = 0; index < hashes.length; index++)
        hashes[index] = terms.count(hashes[index] as number);
    numbered.add(vector);
  }
  const starts = terms.makeStarts();
  const ends = starts.slice();
  const skills = new Uint32Array(total);
  const weights = new Uint8Array(total);
  vectors.forEach((vector, skill) => {
    for (let index = 0; index < vector.hashes.length; index++) {
      const term = vector.hashes[index] as number;
      const at = ends[term] as number;
      skills[at] = skill;
      weights[at] = vector.weights[index] as number;
      ends[term] = at + 1;
    }
  });
  return {
    size: vectors.length,
    find(hash) {
      const term = terms.find(hash);
      if (term === -1) return noPostings;
      const [from, to] = [starts[term], ends[term]];
      return { skills: skills.subarray(from, to), weights: weights.subarray(from, to) };
    },
  };
}

/** Numbers the hashes it is shown, and counts how often it was shown each. */
function createTermTable(): {
  count(hash: number): number;
  countAgain(terms: Int32Array): void;
  find(hash: number): number;
  makeStarts(): Uint32Array;
} {
  let slots = new Int32Array(1024).fill(-1);
  let hashes = new Int32Array(512);
  let counts = new Uint32Array(512);
  let size = 0;
  const slotOf = (hash: number): number => {
    let slot = (hash ^ (hash >>> 15)) & (slots.length - 1);
    for (let term = slots[slot] as number; term !== -1; term = slots[slot] as number) {
      if (hashes[term] === hash) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  };
  const grow = (): void => {
    const [moreHashes, moreCounts] = [new Int32Array(hashes.length * 2), new Uint32Array(counts.length * 2)];
    moreHashes.set(hashes);
    moreCounts.set(counts);
    [hashes, counts, slots] = [moreHashes, moreCounts, new Int32Array(slots.length * 2).fill(-1)];
    for (let term = 0; term < size; term++) slots[slotOf(hashes[term] as number)] = term;
  };
  return {
    count(hash) {
      let slot = slotOf(hash);
      if (slots[slot] === -1) {
        if (size === hashes.length) {
          grow();
          slot = slotOf(hash);
        }
        slots[slot] = size;
        hashes[size] = hash;
        size += 1;
      }
      const term = slots[slot] as number;
      counts[term] = (counts[term] as number) + 1;
      return term;
    },
    countAgain(terms) {
      for (const term of terms) counts[term] = (counts[term] as number) + 1;
    },
    find: (hash) => slots[slotOf(hash)] as number,
    makeStarts() {
      const starts = new Uint32Array(size);
      let start = 0;
      for (let term = 0; term < size; term++) {
        starts[term] = start;
        start += counts[term] as number;
      }
      return starts;
    },
  };
}
