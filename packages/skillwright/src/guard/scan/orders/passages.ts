// The sentences of a text that could hold an order, each with what is around it.

import type { Layer, ScanFile } from '../scan-file.ts';

/** Part of a text. */
interface Passage {
  readonly text: string;
  readonly index: number;
}

/** A sentence. */
export interface Sentence extends Passage {
  /** The sentence and its neighbours, with the block that follows if it ends in a colon. */
  readonly around: string;
}

const MAX_PASSAGE = 3000;
const MAX_LINES = 8;
const NEIGHBOURS = 2;

/** The sentences of the paragraphs, list items and strings in which one of the places is. */
export function* sentencesNear(
  file: ScanFile,
  { layer, near }: { layer: Layer; near: readonly number[] },
): Generator<Sentence> {
  const { text } = layer;
  const isSettings = layer.via === undefined && file.kind === 'config';
  let done = 0;
  for (const place of near) {
    if (place < done) continue;
    const start = isSettings ? text.lastIndexOf('\n', place) + 1 : Math.max(startOf(text, place), done);
    done = isSettings ? endOfLine(text, place) : stopOf(text, place);
    const own = text.slice(start, Math.min(done, start + MAX_PASSAGE));
    if (isSettings) {
      for (const string of own.matchAll(/"((?:[^"\\]|\\.){30,2000})"|:\s+([^"{[\n][^\n]{30,2000})/g)) {
        const written = string[1] ?? string[2]!;
        if (written.includes(' ')) yield* sentencesOf({ text: written, index: start + string.index }, '');
      }
      continue;
    }
    if (/^\s*(?:\||#{1,6} )/.test(own) || isRefused(text, start)) continue;
    const plain = own.replace(/\n[\s>]*/g, (gap) => ' '.repeat(gap.length));
    yield* sentencesOf({ text: plain, index: start }, blockAfter(text, { text: own, index: start }));
  }
}

const endOfLine = (text: string, from: number): number => {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
};

const opens = /^\s{0,12}(?:[-*+]\s|\d{1,3}[.)]\s|#{1,6} |\||```|~~~|<!--|$)/;

/** Where the paragraph or list item of a place begins. */
function startOf(text: string, place: number): number {
  let start = text.lastIndexOf('\n', place - 1) + 1;
  for (let lines = 0; lines < MAX_LINES && start > 0; lines++) {
    if (opens.test(text.slice(start, endOfLine(text, start)))) break;
    const above = text.lastIndexOf('\n', start - 2) + 1;
    if (/^\s*(?:$|```|~~~|---$|#{1,6} )/.test(text.slice(above, start - 1))) break;
    start = above;
  }
  return start;
}

function stopOf(text: string, place: number): number {
  let end = endOfLine(text, place);
  for (let lines = 0; lines < MAX_LINES && end < text.length; lines++) {
    const next = endOfLine(text, end + 1);
    if (opens.test(text.slice(end + 1, next))) break;
    end = next;
  }
  return end;
}

/** The block or quotation that a passage announces with a colon, and the paragraph after it. */
function blockAfter(text: string, { text: before, index }: Passage): string {
  if (!/:\W{0,4}$/.test(before)) return '';
  const rest = text.slice(index + before.length, index + before.length + 1200);
  return (
    /^\s{0,4}\n(?:(?:```|~~~)[\s\S]*?\n(?:```|~~~)(?:\s*\n[^#\n|][^\n]*)?|(?: {4}|>)[\s\S]*?(?=\n\n\S|$))/.exec(
      rest,
    )?.[0] ?? ''
  );
}

const refusal =
  /\b(?:never|do(?:n['’]?t| not)|avoid|must not|should not|prohibited|forbidden|not allowed|anti-?patterns?|red flags?|mistakes|refuse|reject|warning signs|suspicious|attack|malicious|vulnerab\w+|risks?|threats?)\b|❌|✗|🚫/i;

/** Whether a list item is in a list of things not to do, by the line above the list. */
export function isRefused(text: string, index: number): boolean {
  const start = text.lastIndexOf('\n', index) + 1;
  if (!/^\s{0,8}(?:[-*+]|\d{1,3}[.)])\s/.test(text.slice(start, start + 16))) return false;
  const above = text
    .slice(Math.max(0, start - 1200), start)
    .split('\n')
    .reverse();
  const title = above.find((line) => line.trim() !== '' && !/^\s{0,12}(?:[-*+]|\d{1,3}[.)]|\s)\s/.test(line));
  return title !== undefined && title.length < 160 && refusal.test(title);
}

/** The sentences of a passage; a dot inside an address or a number ends none. */
function* sentencesOf({ text, index }: Passage, block: string): Generator<Sentence> {
  const found: Passage[] = [];
  let start = 0;
  for (const { 0: end, index: at } of text.matchAll(/[.!?;](?=[\s"'”’)*_]|$)|\s[–—]\s/g)) {
    found.push({ text: text.slice(start, at + 1), index: index + start });
    start = at + end.length;
  }
  if (start < text.length) found.push({ text: text.slice(start), index: index + start });
  for (const [at, sentence] of found.entries()) {
    const beside = found.slice(Math.max(0, at - NEIGHBOURS), at + NEIGHBOURS + 1).map((one) => one.text);
    const isLast = at === found.length - 1;
    yield { ...sentence, around: `${beside.join(' ')}${isLast ? block : ''}` };
  }
}
