// Prints every table.

import { makeVisible, type Paint } from '../../base/diagnostics/index.ts';
import type { View } from './define-command.ts';
import { cutToWidth, widthOf } from './text-width.ts';

/** A column: its title, and whether its cells are numbers, which are right-aligned. */
export interface Column {
  readonly title: string;
  readonly numeric?: boolean;
  /** Paints a cell, given its text. */
  readonly style?: (text: string, paint: Paint) => string;
}

/** Longest cell, so that one cell cannot make a table unreadable. */
const MAX_WIDTH = 100;

/** Columns are not made narrower than this to fit a terminal. */
const MIN_WIDTH = 10;

const GAP = '  ';

/**
 * Lines with aligned columns under a faint header. On a terminal the table is cut to its width: the widest column first,
 * and the last one, mostly a path, when nothing else is left. Untrusted text in a cell cannot break out of its line.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly (string | number)[])[],
  { paint, columns: available, isTerminal = false }: Pick<View, 'paint' | 'columns' | 'isTerminal'>,
): string[] {
  const shown = rows.map((row) =>
    row.map((cell, index) => {
      const text = makeVisible(formatCell(cell));
      return index < row.length - 1 ? cutToWidth(text, MAX_WIDTH) : text;
    }),
  );
  const all = [columns.map(({ title }) => title), ...shown];
  const natural = columns.map((_, index) => Math.max(...all.map((row) => widthOf(row[index]!))));
  const widths = isTerminal ? fitWidths(natural, columns, available) : natural;
  return all.map((row, line) => {
    const cells = row.map((cell, index) => {
      const { numeric, style } = columns[index]!;
      const width = widths[index]!;
      const cut = cutToWidth(cell, width);
      const text = line === 0 || style === undefined ? cut : style(cut, paint);
      const space = ' '.repeat(Math.max(0, width - widthOf(cut)));
      if (numeric) return space + text;
      return index === row.length - 1 ? text : text + space;
    });
    const text = cells.join(GAP).trimEnd();
    return line === 0 ? paint.faint(text) : text;
  });
}

/** Column widths that fit the terminal, as far as columns can be narrowed. */
function fitWidths(natural: readonly number[], columns: readonly Column[], available: number): number[] {
  const widths = [...natural];
  const gaps = GAP.length * (widths.length - 1);
  const excess = () => widths.reduce((sum, width) => sum + width, gaps) - available;
  const last = widths.length - 1;
  const inner = widths.map((_, index) => index).filter((index) => !columns[index]!.numeric && index < last);
  while (excess() > 0) {
    const wide = inner.filter((index) => widths[index]! > MIN_WIDTH);
    const widest = wide.toSorted((a, b) => widths[b]! - widths[a]!)[0];
    if (widest === undefined) break;
    widths[widest]! -= 1;
  }
  if (excess() > 0 && !columns[last]?.numeric)
    widths[last] = Math.max(Math.min(MIN_WIDTH, widths[last]!), widths[last]! - excess());
  return widths;
}

/** Separates thousands. */
export function formatCell(cell: string | number): string {
  return typeof cell === 'number' ? cell.toLocaleString('en-US') : cell;
}
