// Scans a text run by run: a run is the text between ASCII punctuation and white space. Most runs of a text repeat.
// Each is looked up by a 64-bit hash computed during the scan: creating strings, or comparing characters, would take
// longer than all the rest.

import { type Analysis, analyzeRun, type Tokenizer } from './analyze-text.ts';

/** Calls `visit` for every run between two offsets of a text, in order, with its start and end. */
export type RunScanner = (
  text: string,
  visit: (analysis: Analysis, start: number, end: number) => void,
  range?: { readonly from: number; readonly to: number },
) => void;

/** Matches a run. */
export const runPattern = /[0-9A-Za-z\u0080-\uffff]+/;

const maxRemembered = 2 ** 16;
/** Longer runs rarely repeat. */
const maxRememberedLength = 64;

const isRunCharacter = new Uint8Array(128);
for (let code = 0; code < 128; code++)
  isRunCharacter[code] = (code >= 48 && code < 58) || ((code | 32) >= 97 && (code | 32) < 123) ? 1 : 0;

const scanners = new Map<Tokenizer, RunScanner>();

/** The scanner of this process: skills share its table. */
export function scannerFor(tokenizer: Tokenizer): RunScanner {
  const scanner = scanners.get(tokenizer) ?? createScanner(tokenizer);
  scanners.set(tokenizer, scanner);
  return scanner;
}

/** Creates a scanner that caches its analyses. */
export function createScanner(tokenizer: Tokenizer): RunScanner {
  const memory = createMemory();
  return (text, visit, { from, to } = { from: 0, to: text.length }) => {
    let position = from;
    while (position < to) {
      const start = position;
      let low = 0x811c9dc5;
      let high = 0;
      for (; position < to; position++) {
        const code = text.charCodeAt(position);
        if (code < 128 && isRunCharacter[code] === 0) break;
        low = Math.imul(low ^ code, 0x01000193);
        high = (Math.imul(high, 31) + code) | 0;
      }
      if (position > start) {
        let analysis = memory.get(low, high);
        if (analysis === undefined) {
          analysis = analyzeRun(text.slice(start, position), tokenizer);
          if (position - start <= maxRememberedLength) memory.set(low, high, analysis);
        }
        visit(analysis, start, position);
      }
      position++;
    }
  };
}

/** A table with open addressing, emptied when full. It starts small, because most processes read one query. */
function createMemory() {
  let analyses: Analysis[] = [];
  // Per slot: the two halves of the key, and the number of the analysis, counted from 1.
  let slots = new Int32Array(3 * 1024);
  let mask = 1023;
  /** Slot of a key, or the free slot for it. */
  const find = (low: number, high: number): number => {
    for (let slot = (low ^ (low >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const place = 3 * slot;
      if ((slots[place] === low && slots[place + 1] === high) || slots[place + 2] === 0) return place;
    }
  };
  const put = (low: number, high: number, number: number): void => {
    const place = find(low, high);
    slots[place] = low;
    slots[place + 1] = high;
    slots[place + 2] = number;
  };
  const resize = (size: number): void => {
    const old = slots;
    slots = new Int32Array(3 * size);
    mask = size - 1;
    if (analyses.length === 0) return;
    for (let from = 0; from < old.length; from += 3)
      if (old[from + 2] !== 0) put(old[from] as number, old[from + 1] as number, old[from + 2] as number);
  };
  return {
    get(low: number, high: number): Analysis | undefined {
      const number = slots[find(low, high) + 2] as number;
      return number === 0 ? undefined : analyses[number - 1];
    },
    set(low: number, high: number, analysis: Analysis): void {
      if (analyses.length >= maxRemembered) {
        analyses = [];
        resize(1024);
      } else if (2 * analyses.length > mask) resize(4 * (mask + 1));
      put(low, high, analyses.push(analysis));
    },
  };
}
