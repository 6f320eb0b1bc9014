// A frame: rows of text pieces at columns, and the bytes that make a terminal show them.

import { makeVisible, type Paint } from '../../base/diagnostics/index.ts';
import { padToWidth } from '../commands/index.ts';

/** How a piece looks. */
export type Style = keyof Paint;

/** A piece of text that starts at a column, counted from 0. Pieces of a row are in order and do not overlap. */
export interface Piece {
  readonly at: number;
  readonly text: string;
  readonly style?: Style | undefined;
}

/** Contents of the screen. */
export interface Frame {
  readonly rows: readonly (readonly Piece[])[];
  /** Position of the text cursor; undefined when it is hidden. */
  readonly cursor: { readonly row: number; readonly column: number } | undefined;
}

/** The rows of a frame without style. */
export function frameText({ rows }: Frame): string[] {
  return rows.map((row) => row.reduce((line, { at, text }) => padToWidth(line, at) + text, '').trimEnd());
}

/**
 * Bytes that turn the screen `before` into `after`: the changed rows, in one write. Every piece is placed at its
 * column, so that columns align even if a terminal measures a character differently.
 */
export function drawFrame(before: Frame | undefined, after: Frame, paint: Paint): string {
  const old = before?.rows.map((row) => rowText(row, paint)) ?? [];
  const changes = after.rows.flatMap((row, index) => {
    const text = rowText(row, paint);
    return text === old[index] ? [] : [`\u001b[${index + 1};1H\u001b[2K${text}`];
  });
  const { cursor } = after;
  const place = cursor === undefined ? '' : `\u001b[${cursor.row + 1};${cursor.column + 1}H\u001b[?25h`;
  if (changes.length === 0 && samePlace(before?.cursor, cursor)) return '';
  // Terminals that support synchronised output show everything between the first and the last code at once.
  return `\u001b[?2026h\u001b[?25l${before === undefined ? '\u001b[2J' : ''}${changes.join('')}${place}\u001b[?2026l`;
}

function rowText(row: readonly Piece[], paint: Paint): string {
  return row
    .filter(({ text }) => text !== '')
    .map(({ at, text, style }) => {
      const shown = makeVisible(text);
      return `\u001b[${at + 1}G${style === undefined ? shown : paint[style](shown)}`;
    })
    .join('');
}

function samePlace(a: Frame['cursor'], b: Frame['cursor']): boolean {
  return a?.row === b?.row && a?.column === b?.column;
}
