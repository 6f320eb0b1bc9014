// Help in two columns: terms and explanations.

import { wrapText } from '../commands/index.ts';

/** Wider lines are hard to read, even if the terminal has room. */
export const MAX_COLUMNS = 120;

/** With fewer columns than this, explanations go below their terms. */
const MIN_ROOM = 24;

/** A term and its explanation. */
export type HelpRow = readonly [left: string, right: string];

/** The lines of a text; line breaks after a full sentence are kept. */
export function wrapped(text: string, columns: number): string[] {
  const width = Math.min(columns, MAX_COLUMNS);
  return text
    .split(/(?<=\.)\n/)
    .flatMap((part) => wrapText(part, { columns: width, lines: Number.POSITIVE_INFINITY }));
}

/** The rows, aligned, and wrapped to the width. */
export function twoColumns(rows: readonly HelpRow[], columns: number): string[] {
  const width = Math.min(34, Math.max(...rows.map(([left]) => left.length)));
  const room = Math.min(columns, MAX_COLUMNS) - width - 4;
  const below = room < MIN_ROOM;
  const indent = ' '.repeat(below ? 6 : width + 4);
  return rows.flatMap(([left, right]) => {
    const lines = wrapped(right, below ? columns - indent.length : room);
    const isBeside = !below && left.length <= width;
    const first = isBeside ? `  ${left.padEnd(width)}  ${lines.shift() ?? ''}` : `  ${left}`;
    return [first.trimEnd(), ...lines.map((line) => indent + line)];
  });
}
