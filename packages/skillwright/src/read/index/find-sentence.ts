// Splits a section into what can be shown of it: sentences and list items, else single lines of code and rows of tables.

import type { TextKind } from './section.ts';

/** A range of a text: a paragraph or list item, which has sentences, or a line of code or of a table. */
export interface Block {
  readonly from: number;
  readonly to: number;
  readonly kind: 'prose' | 'line';
}

const fence = /^\s*(?:```|~~~)/;
const row = /^\s*\|/;
/** Markers of list items, quotations and headings; rules and lines of markup say nothing. */
const marker = /^\s*(?:(?:[-*+]|\d+[.)]|>|#{1,6})\s+(?:\[[ xX]\]\s+)?)*/;
const silent = /^(?:[-*_=|:\s]*|\s*<[^>]*>)$/;
const sentenceEnd = /[.!?:]["')\]*_`]*(?=\s)|[。！？]/g;

/** The blocks of a text, in order. */
export function* splitBlocks(text: string, kind: TextKind): Generator<Block> {
  let isFenced = false;
  let paragraph: { from: number; to: number } | undefined;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from) + 1 || text.length;
    const line = text.slice(from, end).trimEnd();
    const isFence = kind === 'prose' && fence.test(line);
    const isLine = kind !== 'prose' || isFenced || row.test(line);
    if (isFence) isFenced = !isFenced;
    const isEmpty = isFence || silent.test(line);
    const begins = isLine ? line.length - line.trimStart().length : (marker.exec(line)?.[0].length ?? 0);
    if (paragraph !== undefined && (isEmpty || isLine || begins > 0)) {
      // A continued line of a list item is indented, and belongs to it.
      const isContinued = !isEmpty && !isLine && line.slice(0, begins).trim() === '';
      if (!isContinued) {
        yield { ...paragraph, kind: 'prose' };
        paragraph = undefined;
      }
    }
    const block = { from: from + begins, to: from + line.length };
    if (!isEmpty && isLine) yield { ...block, kind: 'line' };
    else if (!isEmpty) paragraph = { from: paragraph?.from ?? block.from, to: block.to };
    from = end;
  }
  if (paragraph !== undefined) yield { ...paragraph, kind: 'prose' };
}

/** The sentences of a block of prose, or the line. */
export function* splitSentences(text: string, { from, to, kind }: Block): Generator<Omit<Block, 'kind'>> {
  let start = from;
  if (kind === 'prose')
    for (const end of text.slice(from, to).matchAll(sentenceEnd)) {
      const next = from + end.index + end[0].length;
      yield { from: start, to: next };
      start = next;
      while (start < to && /\s/.test(text.charAt(start))) start++;
    }
  if (start < to) yield { from: start, to };
}
