// The words of one skill as numbers: which it has, and how much they weigh there. The weights depend on the skill alone,
// not on others, so that they can be remembered with its content.

import type { Analysis, RunScanner } from '../index/index.ts';
import { createBodyCounter } from './body-words.ts';
import { createWordHasher, hashBeginning, hashPair } from './hash-words.ts';

/** Words by their hashes; a weight of 16 is one mention in a description of common length. */
export interface SkillWords {
  readonly hashes: Int32Array;
  readonly weights: Uint8Array;
}

/** The texts of a skill. */
export interface SkillTexts {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** What follows the frontmatter, in UTF-8. */
  readonly body: Uint8Array;
}

/** The scale of the weights. */
export const WEIGHT_UNIT = 16;

/**
 * What a mention is worth in each place, and how long that place commonly is; longer ones dilute. `most` is what all
 * mentions of a word there are worth together: saying it again and again makes a skill no better.
 */
const fields = {
  name: { weight: 3, length: 3, dilution: 0, most: 3 },
  description: { weight: 1, length: 20, dilution: 0.4, most: 2.5 },
  tags: { weight: 1.5, length: 4, dilution: 0.2, most: 1.5 },
  headings: { weight: 0.7, length: 20, dilution: 0.4, most: 1.5 },
  body: { weight: 0.25, length: 400, dilution: 0.6, most: 1 },
};

type Field = (typeof fields)['name'];

/** What so many mentions are worth in a field that has so many words. */
function worthIn({ weight, length, dilution, most }: Field, words: number): (mentions: number) => number {
  const worth = weight / (1 - dilution + (dilution * words) / length);
  return (mentions) => Math.min(mentions * worth, most);
}

/** Further bytes of a body are not read: what a skill is about is said before. */
const MAX_BODY = 64 * 1024;

/** Makes a reader of skills' words. */
export function createWordReader(scan: RunScanner): (texts: SkillTexts) => SkillWords {
  const tally = createTally();
  const hashesOf = createWordHasher();
  const countBody = createBodyCounter();
  let hashes: number[] = [];
  const collect = (analysis: Analysis): void => {
    for (const hash of hashesOf(analysis)) hashes.push(hash);
  };
  const addField = (field: Field): void => {
    const worth = worthIn(field, hashes.length);
    const mentions = new Map<number, number>();
    for (const hash of hashes) mentions.set(hash, (mentions.get(hash) ?? 0) + 1);
    for (const [hash, count] of mentions) tally.add(hash, worth(count));
    hashes = [];
  };
  const addBody = (body: Uint8Array): void => {
    const { length, headingLength, each } = countBody(body.subarray(0, MAX_BODY));
    const worth = worthIn(fields.body, length);
    const headingWorth = worthIn(fields.headings, headingLength);
    each((hash, count, inHeadings) => tally.add(hash, worth(count) + headingWorth(inHeadings)));
  };
  const addBeginnings = (text: string): void => {
    const found = new Set<number>();
    scan(text, ({ words }) => {
      for (const { term, stop } of words) {
        const beginning = stop ? undefined : hashBeginning(term);
        if (beginning !== undefined) found.add(beginning);
      }
    });
    for (const hash of found) tally.add(hash, 1);
  };
  const addPairs = (): void => {
    const found = new Set<number>();
    for (let next = 1; next < hashes.length; next++)
      found.add(hashPair(hashes[next - 1] as number, hashes[next] as number));
    for (const hash of found) tally.add(hash, 1);
  };
  return ({ name, description, tags, body }) => {
    const split = splitName(name);
    scan(split, collect);
    addPairs();
    scan(name, collect);
    hashes = [...new Set(hashes)];
    addField(fields.name);
    scan(description, collect);
    addPairs();
    addField(fields.description);
    for (const tag of tags) scan(tag, collect);
    addField(fields.tags);
    addBody(body);
    addBeginnings(`${split} ${description} ${tags.join(' ')}`);
    return tally.take();
  };
}

/** A name as words: `AI2sql` is also "AI 2 sql", `parseHTMLPage` "parse HTML Page". */
function splitName(name: string): string {
  return name
    .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .replace(/(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, ' ');
}

/** Adds up weights of hashes for one skill after the other, without making a map for each. */
function createTally(): { add(hash: number, weight: number): void; take(): SkillWords } {
  let slots = new Int32Array(4096).fill(-1);
  let hashes = new Int32Array(2048);
  let sums = new Float32Array(2048);
  let count = 0;
  const reserve = createReserve();
  const slotOf = (hash: number): number => {
    let slot = (hash ^ (hash >>> 15)) & (slots.length - 1);
    for (let index = slots[slot] as number; index !== -1; index = slots[slot] as number) {
      if (hashes[index] === hash) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  };
  const place = (): void => {
    for (let index = 0; index < count; index++) slots[slotOf(hashes[index] as number)] = index;
  };
  const grow = (): void => {
    const [moreHashes, moreSums] = [new Int32Array(hashes.length * 2), new Float32Array(sums.length * 2)];
    moreHashes.set(hashes);
    moreSums.set(sums);
    [hashes, sums, slots] = [moreHashes, moreSums, new Int32Array(slots.length * 2).fill(-1)];
    place();
  };
  return {
    add(hash, weight) {
      let slot = slotOf(hash);
      if (slots[slot] === -1) {
        if (count === hashes.length) {
          grow();
          slot = slotOf(hash);
        }
        slots[slot] = count;
        hashes[count] = hash;
        sums[count] = 0;
        count += 1;
      }
      const index = slots[slot] as number;
      sums[index] = (sums[index] as number) + weight;
    },
    take() {
      const words = reserve(count);
      words.hashes.set(hashes.subarray(0, count));
      for (let index = 0; index < count; index++)
        words.weights[index] = Math.min(255, Math.max(1, Math.round((sums[index] as number) * WEIGHT_UNIT)));
      slots.fill(-1);
      count = 0;
      return words;
    },
  };
}

const RESERVE = 2 ** 18;

/** Cuts places for words from large arrays: thousands of small ones take more room than what is in them. */
function createReserve(): (count: number) => SkillWords {
  let hashes = new Int32Array(0);
  let weights = new Uint8Array(0);
  let used = 0;
  return (count) => {
    if (used + count > hashes.length) {
      hashes = new Int32Array(Math.max(RESERVE, count));
      weights = new Uint8Array(hashes.length);
      used = 0;
    }
    used += count;
    return { hashes: hashes.subarray(used - count, used), weights: weights.subarray(used - count, used) };
  };
}
