// Quotes foreign text in a message: one line, limited, nothing hidden.

import { cutText } from '../../base/diagnostics/index.ts';

/** Longest foreign text that a message quotes, in UTF-16 units. */
const QUOTE_LIMIT = 80;
/** Longest message from elsewhere: its own words and a few quotations fit. */
const MESSAGE_LIMIT = 240;

/** The text in single quotes, cut with `…` if it is long. */
export function quoteText(text: string): string {
  return `'${bound(text, QUOTE_LIMIT)}'`;
}

/** A message that may quote foreign text of any length. */
export function boundMessage(message: string): string {
  return bound(message, MESSAGE_LIMIT);
}

/** One line, white space collapsed, control and other invisible characters spelt out. */
function bound(text: string, limit: number): string {
  const kept = text.length > limit ? cutText(text, limit - 1) : text;
  const line = kept.replace(/\s+/g, ' ');
  return line.replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
