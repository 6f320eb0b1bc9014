// Going through a text run by run: a run is what stands between ASCII punctuation and white space. Most runs of a text
// were met before, and each is looked up by its characters where they stand, without making a string of it. Half of
// the time of indexing would go into those strings.

import { type Analysis, analyzeRun, type Tokenizer } from './analyze-text.ts';

/** Calls `visit` for every run between two places of a text, in order, with the places where it starts and ends. */
export type RunScanner = (
  text: string,
  visit: (analysis: Analysis, start: number, end: number) => void,
  range?: { readonly from: number; readonly to: number },
) => void;

const maxRemembered = 2 ** 16;
/** Longer runs hardly come twice. */
const maxRememberedLength = 64;

const isRunCharacter = new Uint8Array(2 ** 16).fill(1);
for (let code = 0; code < 128; code++)
  if (!/[0-9A-Za-z]/.test(String.fromCharCode(code))) isRunCharacter[code] = 0;

/** Makes a scanner that remembers what it has analyzed. */
export function createScanner(tokenizer: Tokenizer): RunScanner {
  const remembered = createMemory((run) => analyzeRun(run, tokenizer));
  return (text, visit, range = { from: 0, to: text.length }) => {
    let position = range.from;
    while (position < range.to) {
      const start = position;
      let hash = 0x811c9dc5;
      for (; position < range.to; position++) {
        const code = text.charCodeAt(position);
        if (isRunCharacter[code] === 0) break;
        hash = Math.imul(hash ^ code, 0x01000193);
      }
      if (position > start) visit(remembered(text, start, position, hash), start, position);
      position++;
    }
  };
}

/** A table of runs with open addressing, emptied when it is full. It starts small, as most processes read one query. */
function createMemory(
  analyze: (run: string) => Analysis,
): (text: string, start: number, end: number, hash: number) => Analysis {
  let entries: { hash: number; run: string; analysis: Analysis }[] = [];
  let slots = new Int32Array(1024).fill(-1);
  const slotOf = (hash: number): number => (hash ^ (hash >>> 15)) & (slots.length - 1);
  const next = (slot: number): number => (slot + 1) & (slots.length - 1);
  const grow = (): void => {
    if (entries.length >= maxRemembered) entries = [];
    slots = new Int32Array(entries.length === 0 ? 1024 : slots.length * 4).fill(-1);
    entries.forEach(({ hash }, index) => {
      let slot = slotOf(hash);
      while (slots[slot] !== -1) slot = next(slot);
      slots[slot] = index;
    });
  };
  return (text, start, end, hash) => {
    if (end - start > maxRememberedLength) return analyze(text.slice(start, end));
    let slot = slotOf(hash);
    for (let index = slots[slot] as number; index !== -1; index = slots[slot] as number) {
      const entry = entries[index] as (typeof entries)[number];
      if (entry.hash === hash && isAt(text, start, end, entry.run)) return entry.analysis;
      slot = next(slot);
    }
    const run = text.slice(start, end);
    const analysis = analyze(run);
    slots[slot] = entries.length;
    entries.push({ hash, run, analysis });
    if (entries.length * 2 > slots.length) grow();
    return analysis;
  };
}

function isAt(text: string, start: number, end: number, run: string): boolean {
  if (run.length !== end - start) return false;
  for (let index = 0; index < run.length; index++)
    if (text.charCodeAt(start + index) !== run.charCodeAt(index)) return false;
  return true;
}
