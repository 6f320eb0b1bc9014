// Prints every table.

import { makeVisible } from '../../base/diagnostics/index.ts';
import type { View } from './define-command.ts';
import { cutPathToWidth, cutToWidth, widthOf } from './text-width.ts';

/** Longest cell, so that one cell cannot make a table unreadable. */
const MAX_WIDTH = 100;

/** Columns are not made narrower than this to fit a terminal. */
const MIN_WIDTH = 10;

const GAP = '  ';

/** A line of a table. Columns with numbers are right-aligned. */
type Row = readonly (string | number)[];

/**
 * Lines with aligned columns under a faint header. On a terminal the table is cut to its width: the widest column first,
 * and the last one, mostly a path, when nothing else is left. Untrusted text in a cell cannot break out of its line.
 */
export function renderTable(
  titles: readonly string[],
  rows: readonly Row[],
  { paint, columns: available, isTerminal = false }: Pick<View, 'paint' | 'columns' | 'isTerminal'>,
): string[] {
  const shown = rows.map((row) =>
    row.map((cell, index) => {
      const text = makeVisible(formatCell(cell));
      return index < row.length - 1 ? cutToWidth(text, MAX_WIDTH) : text;
    }),
  );
  const isNumeric = titles.map((_, index) => rows.some((row) => typeof row[index] === 'number'));
  const all = [titles, ...shown];
  const natural = titles.map((_, index) => Math.max(...all.map((row) => widthOf(row[index]!))));
  const widths = isTerminal ? fitWidths(natural, isNumeric, available) : natural;
  return all.map((row, line) => {
    const cells = row.map((cell, index) => {
      const width = widths[index]!;
      const text = cutToWidth(cell, width);
      const space = ' '.repeat(Math.max(0, width - widthOf(text)));
      if (isNumeric[index]) return space + text;
      return index === row.length - 1 ? text : text + space;
    });
    const text = cells.join(GAP).trimEnd();
    return line === 0 ? paint.faint(text) : text;
  });
}

/** Column widths that fit the terminal, as far as columns can be narrowed. */
function fitWidths(natural: readonly number[], isNumeric: readonly boolean[], available: number): number[] {
  const widths = [...natural];
  const gaps = GAP.length * (widths.length - 1);
  const excess = () => widths.reduce((sum, width) => sum + width, gaps) - available;
  const last = widths.length - 1;
  const inner = widths.map((_, index) => index).filter((index) => !isNumeric[index] && index < last);
  while (excess() > 0) {
    const wide = inner.filter((index) => widths[index]! > MIN_WIDTH);
    const widest = wide.toSorted((a, b) => widths[b]! - widths[a]!)[0];
    if (widest === undefined) break;
    widths[widest]! -= 1;
  }
  if (excess() > 0 && !isNumeric[last])
    widths[last] = Math.max(Math.min(MIN_WIDTH, widths[last]!), widths[last]! - excess());
  return widths;
}

/** Separates thousands. */
export function formatCell(cell: string | number): string {
  return typeof cell === 'number' ? cell.toLocaleString('en-US') : cell;
}

// A table that fits the terminal. The last column is cut first, then columns are left out, and the table names those.

/** Width of an unknown terminal. */
const DEFAULT_COLUMNS = 80;
/** The last column is never narrower. */
const LEAST = 16;

/** How to fit a table. An unknown width is infinite. */
interface FitOptions extends Pick<View, 'paint' | 'columns' | 'isTerminal'> {
  /** Titles of columns to leave out, in this order. */
  readonly leaves: readonly string[];
}

/** The lines of a table cut to `columns`, as far as its optional columns allow. */
export function fitTable(
  titles: readonly string[],
  rows: readonly Row[],
  { leaves, ...view }: FitOptions,
): string[] {
  const { paint, columns: available } = view;
  const width = Number.isFinite(available) ? available : DEFAULT_COLUMNS;
  const widths = titles.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => widthOf(formatCell(row[at]!)))),
  );
  const kept = new Set(titles.keys());
  const gone: string[] = [];
  const last = () => Math.max(...kept);
  const room = () => width - [...kept].reduce((sum, at) => (at === last() ? sum : sum + widths[at]! + 2), 0);
  for (const title of leaves) {
    if (room() >= Math.min(widths[last()]!, LEAST)) break;
    const at = titles.indexOf(title);
    if (at !== -1 && kept.delete(at)) gone.push(title);
  }
  const end = last();
  // Last resort: cut long names.
  const first = widths[0]! - Math.max(0, Math.min(widths[end]!, LEAST) - room());
  const cut = (cell: string | number, at: number) =>
    typeof cell === 'number'
      ? cell
      : at === end
        ? (cell.startsWith('/') ? cutPathToWidth : cutToWidth)(cell, Math.max(room(), LEAST))
        : at === 0
          ? cutToWidth(cell, Math.max(first, LEAST))
          : cell;
  const shown = rows.map((row) => row.map(cut).filter((_, at) => kept.has(at)));
  const lines = renderTable(
    titles.filter((_, at) => kept.has(at)),
    shown,
    view,
  );
  return gone.length === 0 ? lines : [...lines, paint.faint(`not shown: ${gone.join(', ')}; use --json`)];
}
