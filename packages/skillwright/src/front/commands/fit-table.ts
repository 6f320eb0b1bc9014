// A table that fits the terminal. The last column is cut first, then columns are left out, and the table names those.

import type { View } from './define-command.ts';
import { type Column, renderTable } from './render-table.ts';
import { cutPathToWidth, cutToWidth, widthOf } from './text-width.ts';

/** Width of an unknown terminal. */
const DEFAULT_COLUMNS = 80;
/** The last column is never narrower. */
const LEAST = 16;

/** How to fit a table. An unknown width is infinite. */
export interface FitOptions extends Pick<View, 'paint' | 'columns' | 'isTerminal'> {
  /** Titles of columns to leave out, in this order. */
  readonly leaves: readonly string[];
}

/** The lines of a table cut to `columns`, as far as its optional columns allow. */
export function fitTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { leaves, ...view }: FitOptions,
): string[] {
  const { paint, columns: available } = view;
  const width = Number.isFinite(available) ? available : DEFAULT_COLUMNS;
  const widths = columns.map(({ title }, at) =>
    Math.max(title.length, ...rows.map((row) => widthOf(row[at]!))),
  );
  const kept = new Set(columns.keys());
  const gone: string[] = [];
  const last = () => Math.max(...kept);
  const room = () => width - [...kept].reduce((sum, at) => (at === last() ? sum : sum + widths[at]! + 2), 0);
  for (const title of leaves) {
    if (room() >= Math.min(widths[last()]!, LEAST)) break;
    const at = columns.findIndex((column) => column.title === title);
    if (at !== -1 && kept.delete(at)) gone.push(title);
  }
  const end = last();
  // Last resort: cut long names.
  const first = widths[0]! - Math.max(0, Math.min(widths[end]!, LEAST) - room());
  const cut = (cell: string, at: number) =>
    at === end
      ? (cell.startsWith('/') ? cutPathToWidth : cutToWidth)(cell, Math.max(room(), LEAST))
      : at === 0
        ? cutToWidth(cell, Math.max(first, LEAST))
        : cell;
  const shown = rows.map((row) => row.map(cut).filter((_, at) => kept.has(at)));
  const lines = renderTable(
    columns.filter((_, at) => kept.has(at)),
    shown,
    view,
  );
  return gone.length === 0 ? lines : [...lines, paint.faint(`not shown: ${gone.join(', ')}; use --json`)];
}
