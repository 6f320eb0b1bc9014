// The words of bodies, counted. Bodies are most of the text of a catalog, so this works on the bytes of a file as they
// are, makes no value for a word it has met before, and goes over a body once.

import { analyzeRun } from '../index/index.ts';
import { hashAnalysis } from './hash-words.ts';

/** The words of one body. */
export interface BodyWords {
  /** How many words the body has, stop words left out, and how many of them stand in headings. */
  readonly length: number;
  readonly headingLength: number;
  /** Every different word with how often it comes, and how often of that in headings. */
  each(visit: (hash: number, count: number, inHeadings: number) => void): void;
}

/** Counts the words of a body in UTF-8. The result is valid until the next body. */
export type BodyCounter = (bytes: Uint8Array) => BodyWords;

/** When the runs that are remembered take more places, all are forgotten. */
const MAX_POOL = 2 ** 18;
/** Longer runs hardly come twice. */
const MAX_REMEMBERED_LENGTH = 64;

const NEWLINE = 0x0a;
const HASH = 0x23;
const BACKTICK = 0x60;
const TILDE = 0x7e;

/** What is neither ASCII punctuation nor space nor control. */
const isRunByte = new Uint8Array(256).map((_, code) =>
  code >= 128 || (code >= 48 && code < 58) || ((code | 32) >= 97 && (code | 32) < 123) ? 1 : 0,
);

/** Makes a counter. What it remembers from one body helps with the next. */
export function createBodyCounter(): BodyCounter {
  let runs = createRunTable();
  // By the number of a word, and the numbers that are not zero there.
  let counts = new Uint32Array(1024);
  let headingCounts = new Uint32Array(1024);
  let met = new Uint32Array(1024);
  let different = 0;

  const forget = (): void => {
    for (let at = 0; at < different; at++) {
      counts[met[at] as number] = 0;
      headingCounts[met[at] as number] = 0;
    }
    different = 0;
    if (runs.isFull()) runs = createRunTable();
  };
  /** Remembers a run, and makes room for its words. */
  const learn = (low: number, high: number, run: Uint8Array): number => {
    const place = runs.add(low, high, run);
    if (runs.words.length > counts.length) {
      const size = 2 * runs.words.length;
      [counts, headingCounts, met] = [
        enlarge(counts, size),
        enlarge(headingCounts, size),
        enlarge(met, size),
      ];
    }
    return place;
  };

  return (bytes) => {
    forget();
    const end = bytes.length;
    let length = 0;
    let headingLength = 0;
    let fence = 0;
    let isHeading = false;
    for (let position = 0; position < end; position++) {
      if (position === 0 || bytes[position - 1] === NEWLINE) {
        // It only decides what words weigh, and is many times as fast as reading the Markdown of thousands of skills.
        const first = bytes[position] as number;
        if ((first === BACKTICK || first === TILDE) && isFence(bytes, position))
          fence = fence === 0 ? first : fence === first ? 0 : fence;
        isHeading = first === HASH && fence === 0;
      }
      const start = position;
      let low = 0x811c9dc5;
      let high = 0;
      for (; position < end; position++) {
        const code = bytes[position] as number;
        if (isRunByte[code] === 0) break;
        low = Math.imul(low ^ code, 0x01000193);
        high = (Math.imul(high, 31) + code) | 0;
      }
      if (position > start) {
        let place = runs.find(low, high);
        if (place === -1) place = learn(low, high, bytes.subarray(start, position));
        const { pool } = runs;
        const last = place + (pool[place] as number);
        for (let at = place + 1; at <= last; at++) {
          const word = pool[at] as number;
          if (counts[word] === 0) met[different++] = word;
          counts[word] = (counts[word] as number) + 1;
          if (isHeading) headingCounts[word] = (headingCounts[word] as number) + 1;
        }
        length += last - place;
        if (isHeading) headingLength += last - place;
      }
    }
    return {
      length,
      headingLength,
      each(visit) {
        for (let at = 0; at < different; at++) {
          const word = met[at] as number;
          visit(runs.words[word] as number, counts[word] as number, headingCounts[word] as number);
        }
      },
    };
  };
}

function enlarge(numbers: Uint32Array<ArrayBuffer>, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(size);
  larger.set(numbers);
  return larger;
}

function isFence(bytes: Uint8Array, at: number): boolean {
  return bytes[at + 1] === bytes[at] && bytes[at + 2] === bytes[at];
}

const decoder = new TextDecoder();

/** The runs that were met, each by 64 bits that are computed while going over it, with the words it consists of. */
function createRunTable() {
  const words: number[] = [];
  const numbers = new Map<number, number>();
  // For each run how many words it has, then their numbers.
  const pool: number[] = [];
  let slots = new Int32Array(3 * 1024);
  let mask = 1023;
  let size = 0;
  const slotOf = (low: number, high: number): number => {
    for (let slot = (low ^ (low >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const at = 3 * slot;
      if ((slots[at] === low && slots[at + 1] === high) || slots[at + 2] === 0) return at;
    }
  };
  const put = (low: number, high: number, place: number): void => {
    const at = slotOf(low, high);
    slots[at] = low;
    slots[at + 1] = high;
    slots[at + 2] = place + 1;
  };
  const grow = (): void => {
    const old = slots;
    slots = new Int32Array(old.length * 4);
    mask = slots.length / 3 - 1;
    for (let at = 0; at < old.length; at += 3)
      if (old[at + 2] !== 0) put(old[at] as number, old[at + 1] as number, (old[at + 2] as number) - 1);
  };
  const numberOf = (hash: number): number => {
    const known = numbers.get(hash);
    if (known !== undefined) return known;
    numbers.set(hash, words.length);
    return words.push(hash) - 1;
  };
  return {
    /** The hash of each word by its number. */
    words,
    pool,
    isFull: () => pool.length >= MAX_POOL,
    /** Where a run stands in the pool; -1 when it was not met. */
    find: (low: number, high: number): number => (slots[slotOf(low, high) + 2] as number) - 1,
    add(low: number, high: number, run: Uint8Array): number {
      const hashes = hashAnalysis(analyzeRun(decoder.decode(run), 'porter'));
      const place = pool.push(hashes.length) - 1;
      for (const hash of hashes) pool.push(numberOf(hash));
      if (run.length > MAX_REMEMBERED_LENGTH) return place;
      size += 1;
      if (2 * size > mask) grow();
      put(low, high, place);
      return place;
    },
  };
}
