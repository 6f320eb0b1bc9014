// Going through a text run by run. Most words of a text were met before, so each is looked up by its characters where
// they stand, without making a string of it; this is what the speed of indexing hangs on.

import { type Analysis, analyzeRun, type Tokenizer } from './analyze-text.ts';

/** Calls `visit` for every run of a text, in order, with the places where it starts and ends. */
export type RunScanner = (
  text: string,
  visit: (analysis: Analysis, start: number, end: number) => void,
) => void;

const maxRemembered = 2 ** 16;
const mask = maxRemembered * 2 - 1;
/** Longer runs hardly come twice. */
const maxRememberedLength = 64;

const isRunCharacter = Uint8Array.from({ length: 128 }, (_, code) =>
  /[0-9A-Za-z]/.test(String.fromCharCode(code)) ? 1 : 0,
);

interface Remembered {
  readonly run: string;
  readonly analysis: Analysis;
}

/** Makes a scanner that remembers what it has read. */
export function createScanner(tokenizer: Tokenizer): RunScanner {
  let slots: (Remembered | undefined)[] = [];
  let size = 0;

  const look = (text: string, start: number, end: number, hash: number): Analysis => {
    if (end - start > maxRememberedLength) return analyzeRun(text.slice(start, end), tokenizer);
    let slot = hash & mask;
    for (let entry = slots[slot]; entry !== undefined; entry = slots[slot]) {
      if (isAt(text, start, end, entry.run)) return entry.analysis;
      slot = (slot + 1) & mask;
    }
    if (size++ > maxRemembered) {
      slots = [];
      size = 0;
    }
    const run = text.slice(start, end);
    const analysis = analyzeRun(run, tokenizer);
    slots[slot] = { run, analysis };
    return analysis;
  };

  return (text, visit) => {
    let position = 0;
    while (position < text.length) {
      const start = position;
      let hash = 0x811c9dc5;
      for (; position < text.length; position++) {
        const code = text.charCodeAt(position);
        if (code < 128 && isRunCharacter[code] === 0) break;
        hash = Math.imul(hash ^ code, 0x01000193);
      }
      if (position > start) visit(look(text, start, position, hash ^ (hash >>> 15)), start, position);
      position++;
    }
  };
}

function isAt(text: string, start: number, end: number, run: string): boolean {
  if (run.length !== end - start) return false;
  for (let index = 0; index < run.length; index++)
    if (text.charCodeAt(start + index) !== run.charCodeAt(index)) return false;
  return true;
}
