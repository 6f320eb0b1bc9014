// A table in Markdown.

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A table from a head and rows of cells. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
