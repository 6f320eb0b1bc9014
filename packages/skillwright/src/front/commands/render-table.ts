// Prints every table.

import { makeVisible } from '../../base/diagnostics/index.ts';
import type { View } from './define-command.ts';
import { cutPathToWidth, cutToWidth, widthOf } from './text-width.ts';

/** Longest cell, so that one cell cannot make a table unreadable. */
const MAX_WIDTH = 100;
/** Columns are not made narrower than this to fit a terminal; in a table that may leave columns out, than the second. */
const [MIN_WIDTH, MIN_KEPT_WIDTH] = [10, 16];
/** Width of an unknown terminal. */
const DEFAULT_COLUMNS = 80;

const GAP = '  ';

/** A line of a table. Columns with numbers are right-aligned. */
type Row = readonly (string | number)[];

/** How a table is shown. */
interface TableView extends Pick<View, 'paint' | 'columns' | 'isTerminal'> {
  /** The colours of the cells of a column, by its title. */
  readonly paints?: Readonly<Record<string, (cell: string) => ((text: string) => string) | undefined>>;
  /** Titles of columns to leave out, in this order, until the table fits, on a terminal or not. */
  readonly leaves?: readonly string[];
}

/** Verdicts in colours, in the columns that have them. */
export function verdictPaints({
  good,
  warning,
  error,
  faint,
}: View['paint']): NonNullable<TableView['paints']> {
  const looks = new Map([
    ['clean', good],
    ['caution', warning],
    ['danger', error],
    ['unknown', faint],
  ]);
  const paintOf = (cell: string) => looks.get(cell);
  return { SCAN: paintOf, VERDICT: paintOf };
}

/**
 * Lines with aligned columns under a faint header. On a terminal the table is cut to its width: the widest column first,
 * and the last one, mostly a path, when nothing else is left. A table that leaves columns out cuts the last one first, and
 * names those. Untrusted text in a cell cannot break out of its line.
 */
export function renderTable(
  titles: readonly string[],
  rows: readonly Row[],
  { paint, columns, isTerminal = false, paints = {}, leaves }: TableView,
): string[] {
  const all = [titles, ...rows].map((row) =>
    row.map((cell, index) => {
      const text = makeVisible(formatCell(cell));
      return index < row.length - 1 ? cutToWidth(text, MAX_WIDTH) : text;
    }),
  );
  const natural = titles.map((_, index) => Math.max(...all.map((row) => widthOf(row[index]!))));
  const available = Number.isFinite(columns) ? columns : DEFAULT_COLUMNS;
  const kept = [...titles.keys()];
  const gone: string[] = [];
  for (const title of leaves ?? []) {
    const least = kept.map((at) =>
      at === kept.at(-1) ? Math.min(natural[at]!, MIN_KEPT_WIDTH) : natural[at]!,
    );
    if (totalOf(least) <= available) break;
    const at = kept.indexOf(titles.indexOf(title));
    if (at !== -1) gone.push(titles[kept.splice(at, 1)[0]!]!);
  }
  const isNumeric = kept.map((index) => rows.some((row) => typeof row[index] === 'number'));
  const own = kept.map((index) => natural[index]!);
  const widths =
    leaves !== undefined
      ? narrow(narrow(own, own.length - 1, { to: MIN_KEPT_WIDTH, available }), 0, {
          to: MIN_KEPT_WIDTH,
          available,
        })
      : isTerminal
        ? fitWidths(own, isNumeric, available)
        : own;
  const lines = all.map((row, line) => {
    const cells = kept.map((column, index) => {
      const [cell, width] = [row[column]!, widths[index]!];
      const isPath = index === kept.length - 1 && cell.startsWith('/');
      const text = (isPath ? cutPathToWidth : cutToWidth)(cell, width);
      const space = ' '.repeat(Math.max(0, width - widthOf(text)));
      const look = line === 0 ? undefined : paints[titles[column]!]?.(cell);
      const shown = look === undefined ? text : look(text);
      if (isNumeric[index]) return space + shown;
      return index === kept.length - 1 ? shown : shown + space;
    });
    const text = cells.join(GAP).trimEnd();
    return line === 0 ? paint.faint(text) : text;
  });
  return gone.length === 0 ? lines : [...lines, paint.faint(`not shown: ${gone.join(', ')}; use --json`)];
}

const totalOf = (widths: readonly number[]) =>
  widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));

/** The widths with one column as narrow as the table needs it. */
function narrow(
  widths: readonly number[],
  index: number,
  { to, available }: { readonly to: number; readonly available: number },
): number[] {
  const excess = Math.max(0, totalOf(widths) - available);
  return widths.with(index, Math.max(Math.min(to, widths[index]!), widths[index]! - excess));
}

/** Column widths that fit the terminal, as far as columns can be narrowed. */
function fitWidths(natural: readonly number[], isNumeric: readonly boolean[], available: number): number[] {
  const widths = [...natural];
  const last = widths.length - 1;
  const inner = widths.map((_, index) => index).filter((index) => !isNumeric[index] && index < last);
  while (totalOf(widths) > available) {
    const wide = inner.filter((index) => widths[index]! > MIN_WIDTH);
    const widest = wide.toSorted((a, b) => widths[b]! - widths[a]!)[0];
    if (widest === undefined) break;
    widths[widest]! -= 1;
  }
  return isNumeric[last] ? widths : narrow(widths, last, { to: MIN_WIDTH, available });
}

/** Separates thousands. */
export function formatCell(cell: string | number): string {
  return typeof cell === 'number' ? cell.toLocaleString('en-US') : cell;
}
