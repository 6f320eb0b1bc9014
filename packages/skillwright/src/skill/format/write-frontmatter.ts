// Writes frontmatter that every YAML reader parses to the same values.

import { dump } from 'js-yaml';

/**
 * Writes the fields between `---` lines, in their own order, without folding long lines. Lone surrogates become U+FFFD;
 * values YAML cannot express (undefined, functions) are left out.
 */
export function writeFrontmatter(data: Record<string, unknown>): string {
  const fields = toWritable(data) as Record<string, unknown>;
  if (Object.keys(fields).length === 0) return '---\n---\n';
  const text = dump(fields, { lineWidth: -1, noRefs: true, quoteStyle: 'double' });
  // At the start of a line, a plain key such as `--- x` would end the document.
  const quoted = text.replace(/^(?:---|\.\.\.)[ \t].*?(?=:(?: |$))/gm, (key) => JSON.stringify(key));
  return `---\n${quoted}---\n`;
}

function toWritable(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      return value.toWellFormed();
    case 'bigint':
      return String(value);
    case 'number':
    case 'boolean':
      return value;
    case 'object':
      break;
    default:
      return undefined;
  }
  if (value === null) return null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map((item) => toWritable(item) ?? null);
  const fields = Object.entries(value).map(([key, item]) => [key.toWellFormed(), toWritable(item)]);
  return Object.fromEntries(fields.filter(([, item]) => item !== undefined));
}
