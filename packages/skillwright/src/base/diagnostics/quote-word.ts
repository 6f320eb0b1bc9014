// Untrusted words in a command that people copy or a model runs.

import { makeVisible } from './format-message.ts';

/** Quotes the text as one shell word. Hidden characters become visible. */
export function quoteWord(text: string): string {
  if (/^[\p{L}\p{N}_./@:+][\p{L}\p{N}_./@:+-]*$/u.test(text)) return text;
  return `'${makeVisible(text).replaceAll("'", "'\\''")}'`;
}
