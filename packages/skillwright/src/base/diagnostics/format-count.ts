// Small pieces of messages: counts with their noun, places in files, text of others on one line or as a word of a command.

import { makeVisible } from './format-message.ts';

/** `1 file`, `2 files`: for nouns that take an s. */
export function formatCount(count: number | bigint, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `scripts/a.sh:2`; the path alone without a line. */
export function formatPlace(path: string, line: number | null): string {
  return line === null ? path : `${path}:${line}`;
}

/** The text on one line, without control characters. */
export function oneLine(text: string): string {
  return makeVisible(text.replace(/\s+/g, ' ').trim());
}

/** Quotes the text as one shell word. Hidden characters become visible. */
export function quoteWord(text: string): string {
  if (/^[\p{L}\p{N}_./@:+][\p{L}\p{N}_./@:+-]*$/u.test(text)) return text;
  return `'${makeVisible(text).replaceAll("'", "'\\''")}'`;
}
