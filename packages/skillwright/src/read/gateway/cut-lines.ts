// Limits text to a number of lines, with a note about the rest.

/** The first `limit` lines, and the number of lines after them. Unchanged text when nothing is cut. */
export function cutLines(text: string, limit: number | undefined): { text: string; more: number } {
  if (limit === undefined) return { text, more: 0 };
  let end = 0;
  for (let line = 0; line < limit; line++) {
    const next = nextLine(text, end);
    if (next === -1) return { text, more: 0 };
    end = next;
  }
  let more = 0;
  for (let at = end; at !== -1 && at < text.length; at = nextLine(text, at)) more += 1;
  return more === 0 ? { text, more } : { text: text.slice(0, end), more };
}

/** Lines `from` to `to`, both counted from 1 and included, with their line ends. */
export function sliceLines(text: string, from: number, to: number): string {
  let start = 0;
  for (let line = 1; line < from; line++) {
    start = nextLine(text, start);
    if (start === -1) return '';
  }
  let end = start;
  for (let line = from; line <= to; line++) {
    end = nextLine(text, end);
    if (end === -1) return text.slice(start);
  }
  return text.slice(start, end);
}

/** Byte offset of a line, counted from 1; the length of the text for a line past the end. */
export function offsetOfLine(text: string, line: number): number {
  return line === 1 ? 0 : Buffer.byteLength(sliceLines(text, 1, line - 1));
}

/** Adds `... (N more lines)` to a text that was cut. */
export function withMore(text: string, more: number): string {
  if (more === 0) return text;
  return `${text}${/[\r\n]$/.test(text) || text === '' ? '' : '\n'}... (${more} more lines)\n`;
}

/** Start of the line after the one at `from`; -1 when there is none. LF, CRLF and CR end a line. */
function nextLine(text: string, from: number): number {
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 10) return index + 1;
    if (code === 13) return text.charCodeAt(index + 1) === 10 ? index + 2 : index + 1;
  }
  return -1;
}
