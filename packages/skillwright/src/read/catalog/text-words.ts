// Counts the words of texts. Bodies are most of the text of a catalog, so this works on the raw bytes of a file,
// allocates nothing for a known word, and reads a text once.

import { analyzeRun } from '../index/index.ts';
import { hashAnalysis, hashBeginning, hashText } from './hash-words.ts';
import { enlarge, type TermTable } from './term-table.ts';

/** Words of one text by number. Valid until the next text; only the beginning of each array is used. */
export interface TextWords {
  /** Number of words without stop words, and how many of them are in headings. */
  readonly length: number;
  readonly headingLength: number;
  /** The words in order. */
  readonly order: Int32Array;
  /** The distinct words, their number, and for each word its count in total and in headings. */
  readonly distinct: Int32Array;
  readonly distinctLength: number;
  readonly counts: Int32Array;
  readonly headingCounts: Int32Array;
}

/** Counts the words of texts. */
interface TextReader {
  /** Reads a text in UTF-8. */
  read(bytes: Buffer): TextWords;
  /** Hash of the prefix of a word; 0 when it is too short. */
  beginningOf(term: number): number;
}

/** When the table is larger, runs that occurred only once since the last cleanup are dropped. */
const MAX_RUNS = 2 ** 18;
/** Longer runs rarely repeat. */
const MAX_REMEMBERED_LENGTH = 64;
/** Numbers per run in the table: the two halves of its key, its words, and whether it repeated. */
const SLOT = 4;
/** Words of a run: 0 unknown, -1 none, other negative numbers a group of words, positive numbers one word. */
const UNKNOWN = 0;
const NO_WORD = -1;

const NEWLINE = 0x0a;
const HASH = 0x23;
const BACKTICK = 0x60;
const TILDE = 0x7e;

/** Bytes other than ASCII punctuation, space and control. */
const isRunByte = new Uint8Array(256).map((_, code) =>
  code >= 128 || (code >= 48 && code < 58) || ((code | 32) >= 97 && (code | 32) < 123) ? 1 : 0,
);

/** Creates a reader that numbers words by a table. Later texts reuse the runs of earlier ones. */
export function createTextReader(terms: TermTable): TextReader {
  // Known runs, each keyed by a 64-bit hash computed while scanning: the two halves, and its words.
  let slots = new Int32Array(SLOT * 1024);
  let remembered = 0;
  // Words of runs that have none or several.
  let groups: number[][] = [[]];
  let beginnings: Int32Array = new Int32Array(0);
  let order: Int32Array = new Int32Array(0);
  let distinct: Int32Array = new Int32Array(0);
  let counts: Int32Array = new Int32Array(0);
  let headingCounts: Int32Array = new Int32Array(0);
  let distinctLength = 0;

  const put = (low: number, high: number, words: number): void => {
    const at = findSlot(slots, low, high);
    slots[at] = low;
    slots[at + 1] = high;
    slots[at + 2] = words;
  };
  /** Rebuilds the table, with all runs or only those that repeated. */
  const rebuild = (size: number, keepsAll: boolean): void => {
    const old = slots;
    const oldGroups = groups;
    slots = new Int32Array(size);
    if (!keepsAll) groups = [[]];
    remembered = 0;
    for (let at = 0; at < old.length; at += SLOT) {
      const words = old[at + 2] as number;
      if (words === UNKNOWN || (old[at + 3] === 0 && !keepsAll)) continue;
      const group = words < NO_WORD && !keepsAll ? oldGroups[-words - 1] : undefined;
      put(old[at] as number, old[at + 1] as number, group === undefined ? words : -groups.push(group));
      remembered += 1;
    }
  };
  /** Numbers the words of a run and stores them. */
  const learn = (low: number, high: number, run: string): number => {
    const analysis = analyzeRun(run, 'porter');
    const numbers = hashAnalysis(analysis).map(terms.numberOf);
    if (terms.size > beginnings.length) beginnings = enlarge(beginnings, 1.5 * terms.size);
    for (const { term, stop } of analysis.words)
      if (!stop) beginnings[terms.find(hashText(term))] = hashBeginning(term);
    const [first] = numbers;
    const words = first === undefined ? NO_WORD : numbers.length === 1 ? first + 1 : -groups.push(numbers);
    if (run.length > MAX_REMEMBERED_LENGTH) return words;
    put(low, high, words);
    remembered += 1;
    if (2 * SLOT * remembered > slots.length) rebuild(2 * slots.length, true);
    return words;
  };

  /** Writes the words in order, those of headings as negative numbers, and returns their count. */
  const findWords = (bytes: Buffer): number => {
    const end = bytes.length;
    if (order.length < end) order = new Int32Array(2 * end);
    let length = 0;
    let fence = 0;
    let isHeading = false;
    let before = NEWLINE;
    for (let position = 0; position < end; position++) {
      let code = bytes[position] as number;
      if (before === NEWLINE) {
        // This only affects weights, and is many times faster than parsing the Markdown of thousands of skills.
        if ((code === BACKTICK || code === TILDE) && isFence(bytes, position))
          fence = fence === 0 ? code : fence === code ? 0 : fence;
        isHeading = code === HASH && fence === 0;
      }
      before = code;
      if (isRunByte[code] === 0) continue;
      const start = position;
      let low = 0x811c9dc5;
      let high = 0;
      do {
        low = Math.imul(low ^ code, 0x01000193);
        high = (Math.imul(high, 31) + code) | 0;
        position += 1;
        code = position === end ? NEWLINE : (bytes[position] as number);
      } while (isRunByte[code] === 1);
      before = code;
      const at = findSlot(slots, low, high);
      let words = slots[at + 2] as number;
      if (words === UNKNOWN) words = learn(low, high, bytes.toString('utf8', start, position));
      else slots[at + 3] = 1;
      if (words > 0) order[length++] = isHeading ? -words : words - 1;
      else if (words !== NO_WORD) {
        const group = groups[-words - 1] as number[];
        const most = length + group.length + end - position;
        if (most > order.length) order = enlarge(order, 2 * most);
        for (const word of group) order[length++] = isHeading ? ~word : word;
      }
    }
    return length;
  };

  return {
    beginningOf: (term) => beginnings[term] as number,
    read(bytes) {
      for (let at = 0; at < distinctLength; at++) {
        const word = distinct[at] as number;
        counts[word] = 0;
        headingCounts[word] = 0;
      }
      distinctLength = 0;
      if (remembered > MAX_RUNS) rebuild(slots.length, false);
      const length = findWords(bytes);
      if (terms.size > counts.length) {
        counts = new Int32Array(1.5 * terms.size);
        headingCounts = new Int32Array(1.5 * terms.size);
      }
      if (distinct.length < length) distinct = new Int32Array(order.length);
      let headingLength = 0;
      for (let at = 0; at < length; at++) {
        let word = order[at] as number;
        if (word < 0) {
          word = ~word;
          order[at] = word;
          headingCounts[word] = (headingCounts[word] as number) + 1;
          headingLength += 1;
        }
        if (counts[word] === 0) distinct[distinctLength++] = word;
        counts[word] = (counts[word] as number) + 1;
      }
      return { length, headingLength, order, distinct, distinctLength, counts, headingCounts };
    },
  };
}

/** The slot of a run, or the free slot for it. */
function findSlot(slots: Int32Array, low: number, high: number): number {
  const mask = slots.length - SLOT;
  let at = Math.imul(SLOT, low ^ (low >>> 15)) & mask;
  while (slots[at + 2] !== UNKNOWN && (slots[at] !== low || slots[at + 1] !== high)) at = (at + SLOT) & mask;
  return at;
}

function isFence(bytes: Uint8Array, at: number): boolean {
  return bytes[at + 1] === bytes[at] && bytes[at + 2] === bytes[at];
}
