// The line that a user types to search, and the keys that shorten it.

import { splitCharacters } from '../commands/index.ts';

const MAX_LENGTH = 200;

/** Keys that delete the end of the line: what is left of it. */
const deletions = {
  backspace: (line) => splitCharacters(line).slice(0, -1).join(''),
  'delete-word': (line) => line.replace(/\S*\s*$/, ''),
  'delete-line': () => '',
} satisfies Record<string, (line: string) => string>;

/** Keys that edit the line. */
type EditKey = keyof typeof deletions;

/** The line after an editing key. */
export const editLine = (line: string, key: EditKey): string => cleanLine(deletions[key](line));

/** One line without control characters, short enough to search for. */
export function cleanLine(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trimStart();
  return line.length > MAX_LENGTH ? line.slice(0, MAX_LENGTH).toWellFormed() : line;
}
