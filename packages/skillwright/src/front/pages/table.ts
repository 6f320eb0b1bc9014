// Tables that become one block per row on a narrow screen.

import { type Content, type Html, html } from './html.ts';

/** The title of a column, and how its cells are set. */
interface Look {
  readonly title: string;
  readonly kind?: 'text' | 'number' | 'action' | undefined;
  /** Shown to those who listen, not to those who look. */
  readonly isTitleHidden?: boolean | undefined;
}

/** A column. A title alone is one of text. */
export type Column = string | Look;

/** The column of the buttons of each row; its title is heard, not seen. */
export const actionColumn = (title: string): Column => ({ title, kind: 'action', isTitleHidden: true });

/** A table. The first cell of a row is its heading. `empty` is shown instead of a table without rows. */
export function table(options: {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Content[])[];
  readonly empty?: Content;
  /** On a narrow screen the cells of a row follow one another, instead of one line each. */
  readonly isDense?: boolean;
}): Html {
  const { caption, rows, empty, isDense = false } = options;
  if (rows.length === 0 && empty !== undefined) return html`${empty}`;
  const columns = options.columns.map((column) => (typeof column === 'string' ? { title: column } : column));
  // Roles are spelled out: browsers forget them when a style sheet turns rows into blocks.
  const heads: Html[] = [];
  for (const { title, kind = 'text', isTitleHidden } of columns) {
    const text = isTitleHidden ? html`<span class="unseen">${title}</span>` : title;
    heads.push(html`<th scope="col" role="columnheader" class="${kind}">${text}</th>`);
  }
  return html`<table class="table${isDense ? ' dense' : ''}" role="table">
<caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">${rows.map((cells) => tableRow(cells, columns))}</tbody>
</table>`;
}

function tableRow(cells: readonly Content[], columns: readonly Look[]): Html {
  const parts: Html[] = [];
  for (const [at, cell] of cells.entries()) {
    const { title = '', kind = 'text', isTitleHidden } = columns[at] ?? {};
    const label = isTitleHidden ? '' : title;
    parts.push(
      at === 0
        ? html`<th scope="row" role="rowheader" class="${kind}">${cell}</th>`
        : html`<td role="cell" class="${kind}" data-label="${label}">${cell}</td>`,
    );
  }
  return html`<tr role="row">${parts}</tr>\n`;
}
