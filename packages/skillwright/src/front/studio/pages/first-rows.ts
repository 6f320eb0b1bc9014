// Long lists show their first rows, and say where the rest is.

import { type Column, type Content, commandLine, type Html, html, plural, table } from '../../pages/index.ts';

/** Rows of a list that a page shows at most. */
export const MAX_ROWS = 200;

/** A table of the first rows. `command` prints all of them. */
export function firstRows<Row>(
  rows: readonly Row[],
  options: {
    readonly caption: string;
    readonly columns: readonly Column[];
    readonly cells: (row: Row) => readonly Content[];
    readonly empty: Content;
    readonly command: string;
  },
): Html {
  const { caption, columns, cells, empty, command } = options;
  const shown = rows.slice(0, MAX_ROWS);
  const rest = rows.length - shown.length;
  return html`${table({ caption, columns, rows: shown.map(cells), empty, isDense: true })}${
    rest === 0
      ? ''
      : html`<div class="rest"><p class="muted small">${plural(rest, 'more row')} not shown. All of them:</p>${commandLine(command, `Command for ${caption}`)}</div>`
  }`;
}
