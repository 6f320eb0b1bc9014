// A table as text.

import { makeVisible, type Paint } from '../../base/diagnostics/index.ts';
import { cutToWidth, padToWidth, widthOf } from './text-width.ts';

/** A column: its title, and whether its cells are numbers, which stand to the right. */
export interface Column {
  readonly title: string;
  readonly numeric?: boolean;
}

/** No cell makes the others unreadable. */
const MAX_WIDTH = 100;

/** Lines with aligned columns under a faint head. What a cell quotes from a file cannot break out of its line. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly (string | number)[])[],
  paint: Paint,
): string[] {
  const shown = rows.map((row) =>
    row.map((cell, index) => {
      const text = makeVisible(formatCell(cell));
      // What stands last, mostly a path, may be as long as it is.
      return index < row.length - 1 ? cutToWidth(text, MAX_WIDTH) : text;
    }),
  );
  const all = [columns.map(({ title }) => title), ...shown];
  const widths = columns.map((_, index) => Math.max(...all.map((row) => widthOf(row[index]!))));
  return all.map((row, line) => {
    const cells = row.map((cell, index) =>
      columns[index]!.numeric ? cell.padStart(widths[index]!) : padToWidth(cell, widths[index]!),
    );
    const text = cells.join('  ').trimEnd();
    return line === 0 ? paint.faint(text) : text;
  });
}

/** Thousands are set apart. */
export function formatCell(cell: string | number): string {
  return typeof cell === 'number' ? cell.toLocaleString('en-US') : cell;
}
