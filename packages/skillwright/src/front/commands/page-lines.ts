// One page of a text for a model, and the call for the next page.

import { splitLines } from '../../base/files/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { offsetOfLine, pageText, readTextFile } from '../../read/gateway/index.ts';
import type { Actor } from '../../skill/judge/index.ts';
import { spellCall } from './spell-call.ts';

/** A page of text may cost this many times the budget of an outline. */
export const PAGE = 4;

/** Bytes per token for a line that is cut. */
export const TOKEN_BYTES = 4;

/** Text of a file, and its position there. */
interface PagedText {
  readonly content: string;
  /** Its first line. */
  readonly from: number;
  /** The caller's name for the skill, and its directory. */
  readonly skill: string;
  readonly dir: string;
  readonly path: string;
  readonly by: Actor;
}

/** The page. */
export interface Page {
  readonly content: string;
  /** Lines left out at the end, a cut line included. */
  readonly more: number;
  /** The call for the next part; undefined at the end. */
  readonly next: string | undefined;
}

/** The lines that fit the budget; if the first line is too long, its beginning. */
export function pageLines(text: PagedText, budget: number): Page {
  const { content, from, skill, dir, path, by } = text;
  if (estimateTokens(content) <= budget) return { content, more: 0, next: undefined };
  const lines = content.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  const call = (part: object) =>
    spellCall({ name: 'open', positionals: ['skill', 'path'], input: { skill, path, ...part } }, by);
  let left = budget;
  const end = lines.findIndex((line) => {
    left -= estimateTokens(line);
    return left < 0;
  });
  const kept = end === -1 ? lines.length : end;
  if (kept === 0) {
    const { content: beginning } = pageText(lines[0]!, { limit: Math.max(1, budget) * TOKEN_BYTES });
    if (beginning === lines[0] && lines.length === 1) return { content, more: 0, next: undefined };
    const offset = offsetOfLine(readTextFile(dir, path), from) + Buffer.byteLength(beginning);
    return { content: beginning, more: lines.length, next: call({ offset }) };
  }
  if (kept === lines.length) return { content, more: 0, next: undefined };
  const range = `${from + kept}-${from + lines.length - 1}`;
  return {
    content: lines.slice(0, kept).join(''),
    more: lines.length - kept,
    next: call({ lines: range }),
  };
}

/** First and last line of a text that begins at a line. */
export const linesServed = (content: string, from: number): readonly [number, number] => [
  from,
  from + splitLines(content).length - 1,
];
