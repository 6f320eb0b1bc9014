// A line of text with a cursor, and its editing keys. The cursor counts characters as a reader does.

import { splitCharacters } from '../commands/index.ts';

/** The text and the number of characters before the cursor. */
interface EditedLine {
  readonly text: string;
  readonly cursor: number;
}

/** Keys that move the cursor: where it goes. */
const moves = {
  left: (_, cursor) => Math.max(0, cursor - 1),
  right: ({ length }, cursor) => Math.min(length, cursor + 1),
  'word-left': wordStart,
  'word-right': wordEnd,
  'line-start': () => 0,
  'line-end': ({ length }) => length,
} satisfies Record<string, (characters: readonly string[], cursor: number) => number>;

/** Keys that delete what a move would pass. */
const deletions = {
  backspace: 'left',
  delete: 'right',
  'delete-word-left': 'word-left',
  'delete-word-right': 'word-right',
  'delete-to-start': 'line-start',
  'delete-to-end': 'line-end',
} as const satisfies Record<string, keyof typeof moves>;

/** Editing keys. */
export type EditKey = keyof typeof moves | keyof typeof deletions;

const isDeletion = (key: EditKey): key is keyof typeof deletions => Object.hasOwn(deletions, key);

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
  if (!isDeletion(key)) return { text, cursor: moves[key](characters, cursor) };
  const passed = moves[deletions[key]](characters, cursor);
  const [from, to] = passed < cursor ? [passed, cursor] : [cursor, passed];
  return {
    text: cleanLine([...characters.slice(0, from), ...characters.slice(to)].join('')),
    cursor: from,
  };
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
