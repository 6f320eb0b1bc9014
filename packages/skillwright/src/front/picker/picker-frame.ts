// A frame: the rows of the screen as pieces of text at columns, and the bytes that make a terminal show it.

import { makeVisible, type Paint } from '../../base/diagnostics/index.ts';
import { padToWidth } from '../commands/index.ts';

/** How a piece looks. */
export type Style = keyof Paint;

/** A piece of text that begins at a column, counted from 0. Pieces of a row stand in order and do not overlap. */
export interface Piece {
  readonly at: number;
  readonly text: string;
  readonly style?: Style | undefined;
}

/** What the screen shows. */
export interface Frame {
  readonly rows: readonly (readonly Piece[])[];
  /** Where the text cursor stands; undefined when it is hidden. */
  readonly cursor: { readonly row: number; readonly column: number } | undefined;
}

/** The rows of a frame without style. */
export function frameText({ rows }: Frame): string[] {
  return rows.map((row) => row.reduce((line, { at, text }) => padToWidth(line, at) + text, '').trimEnd());
}

/**
 * What turns the screen of `before` into that of `after`: the rows that differ, in one write. Every piece is placed by its
 * column, so that a terminal that measures a character differently still shows the columns straight.
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
  // Terminals that know it show everything between the first and the last code at once.
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
