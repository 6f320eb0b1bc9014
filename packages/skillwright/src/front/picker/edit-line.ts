// A line of text with a cursor, and its editing keys. The cursor counts characters as a reader does.

import { splitCharacters } from '../commands/index.ts';

/** The text and the number of characters before the cursor. */
interface EditedLine {
  readonly text: string;
  readonly cursor: number;
}

/** Editing keys. */
export type EditKey =
  | 'left'
  | 'right'
  | 'word-left'
  | 'word-right'
  | 'line-start'
  | 'line-end'
  | 'backspace'
  | 'delete'
  | 'delete-word-left'
  | 'delete-word-right'
  | 'delete-to-start'
  | 'delete-to-end';

const MAX_LENGTH = 200;

/** A line with the cursor at its end. */
export function lineOf(text: string): EditedLine {
  const line = cleanLine(text);
  return { text: line, cursor: splitCharacters(line).length };
}

/** Inserts typed or pasted text at the cursor. */
export function insertText({ text, cursor }: EditedLine, added: string): EditedLine {
  const characters = splitCharacters(text);
  const before = cleanLine(characters.slice(0, cursor).join('') + added);
  const line = cleanLine(before + characters.slice(cursor).join(''));
  // A combining mark joins the letter before it, so count the characters before the cursor again.
  return { text: line, cursor: Math.min(splitCharacters(before).length, splitCharacters(line).length) };
}

/** The line after an editing key. */
export function editLine({ text, cursor }: EditedLine, key: EditKey): EditedLine {
  const characters = splitCharacters(text);
  const cut = (from: number, to: number): EditedLine => ({
    text: cleanLine([...characters.slice(0, from), ...characters.slice(to)].join('')),
    cursor: Math.max(0, from),
  });
  const end = characters.length;
  switch (key) {
    case 'left':
      return { text, cursor: Math.max(0, cursor - 1) };
    case 'right':
      return { text, cursor: Math.min(end, cursor + 1) };
    case 'word-left':
      return { text, cursor: wordStart(characters, cursor) };
    case 'word-right':
      return { text, cursor: wordEnd(characters, cursor) };
    case 'line-start':
      return { text, cursor: 0 };
    case 'line-end':
      return { text, cursor: end };
    case 'backspace':
      return cursor === 0 ? { text, cursor } : cut(cursor - 1, cursor);
    case 'delete':
      return cut(cursor, cursor + 1);
    case 'delete-word-left':
      return cut(wordStart(characters, cursor), cursor);
    case 'delete-word-right':
      return cut(cursor, wordEnd(characters, cursor));
    case 'delete-to-start':
      return cut(0, cursor);
    case 'delete-to-end':
      return cut(cursor, end);
  }
}

const isSpace = (character: string | undefined) => character === ' ';

function wordStart(characters: readonly string[], cursor: number): number {
  let at = cursor;
  while (at > 0 && isSpace(characters[at - 1])) at--;
  while (at > 0 && !isSpace(characters[at - 1])) at--;
  return at;
}

function wordEnd(characters: readonly string[], cursor: number): number {
  let at = cursor;
  while (at < characters.length && isSpace(characters[at])) at++;
  while (at < characters.length && !isSpace(characters[at])) at++;
  return at;
}

/** One line without control characters, short enough to search for. */
function cleanLine(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trimStart();
  return line.length > MAX_LENGTH ? line.slice(0, MAX_LENGTH).toWellFormed() : line;
}
