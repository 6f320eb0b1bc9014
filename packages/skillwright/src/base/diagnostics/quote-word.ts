// Words of others in a command that is shown to be copied, or to be run by a model.

import { makeVisible } from './codes.ts';

/** The text as one word of a shell: nothing in it is a command, and no character of it is hidden. */
export function quoteWord(text: string): string {
  if (/^[\p{L}\p{N}_./@:+][\p{L}\p{N}_./@:+-]*$/u.test(text)) return text;
  return `'${makeVisible(text).replaceAll("'", "'\\''")}'`;
}
