// Rows as comma-separated values.

/** The rows under a header line; ends with a newline. A missing field is an empty cell. */
export function renderCsv(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...rows.map((row) => names.map((name) => row[name]))];
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\n`).join('');
}

/** Puts an apostrophe before text that a spreadsheet would read as a formula. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = String(value).replace(/^(?=[=+\-@\t\r\n])/, "'");
  return /[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
