// Wraps text by columns.

import { cutToWidth, splitCharacters, widthOf } from './text-width.ts';

/** Wraps the text at `columns`; text beyond `lines` ends in an ellipsis. */
export function wrapText(text: string, { columns, lines }: { columns: number; lines: number }): string[] {
  if (columns <= 0 || lines <= 0) return [];
  const words = text.split(/\s+/).filter(Boolean);
  // Nothing to measure, as for every reader but a terminal.
  if (columns === Number.POSITIVE_INFINITY) return words.length === 0 ? [] : [words.join(' ')];
  const wrapped: string[] = [];
  let line = '';
  const pieces = words.flatMap((word) => (widthOf(word) > columns ? breakWord(word, columns) : [word]));
  for (const [index, piece] of pieces.entries()) {
    const longer = line === '' ? piece : `${line} ${piece}`;
    if (widthOf(longer) <= columns) {
      line = longer;
    } else if (wrapped.length === lines - 1) {
      return [...wrapped, cutToWidth(`${line} ${pieces.slice(index, index + columns).join(' ')}`, columns)];
    } else {
      wrapped.push(line);
      line = piece;
    }
  }
  return line === '' ? wrapped : [...wrapped, line];
}

/** Scripts without spaces, and very long words, break anywhere. */
function breakWord(word: string, columns: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const character of splitCharacters(word)) {
    if (piece !== '' && widthOf(piece + character) > columns) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return piece === '' ? pieces : [...pieces, piece];
}
