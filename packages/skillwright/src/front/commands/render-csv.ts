// Rows as comma-separated values.

/** The rows under a line of names; ends with a newline. A row without a field has an empty cell there. */
export function renderCsv(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [names, ...rows.map((row) => names.map((name) => row[name]))];
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\n`).join('');
}

/** Text that a spreadsheet would take for a formula gets an apostrophe in front, so that it stays text. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = String(value).replace(/^(?=[=+\-@\t\r\n])/, "'");
  return /[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
