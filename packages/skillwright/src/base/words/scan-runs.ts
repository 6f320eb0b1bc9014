// Scans a text run by run: a run is the text between ASCII punctuation and white space. Most runs of a text repeat, so their
// analyses are kept.

import { copyText } from '../files/index.ts';
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
  const known = new Map<string, Analysis>();
  return (text, visit, { from, to } = { from: 0, to: text.length }) => {
    for (let position = from; position < to; position++) {
      const start = position;
      for (; position < to; position++) {
        const code = text.charCodeAt(position);
        if (code < 128 && isRunCharacter[code] === 0) break;
      }
      if (position === start) continue;
      const run = text.slice(start, position);
      let analysis = known.get(run);
      if (analysis === undefined) {
        analysis = analyzeRun(run, tokenizer);
        if (known.size >= maxRemembered) known.clear();
        // A slice keeps its whole text in memory.
        if (run.length <= maxRememberedLength) known.set(copyText(run), analysis);
      }
      visit(analysis, start, position);
    }
  };
}
