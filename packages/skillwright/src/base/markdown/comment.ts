/** HTML comments in raw HTML. */

/** An HTML comment, block or inline, never one inside code: its trimmed text and the line where it starts. */
export interface Comment {
  text: string;
  line: number;
}

/** HTML that holds no comments whatever it looks like: raw text elements, instructions, declarations, CDATA. */
const opaque = /^[ \t]*<(?:(?:script|pre|style|textarea)(?=[\s>]|$)|\?|![a-z[])/i;

/** Finds the comments in a piece of raw HTML whose first line is `line`. One that is never closed is none. */
export function findComments(html: string, line: number): Comment[] {
  const comments: Comment[] = [];
  if (opaque.test(html)) return comments;
  let counted = 0;
  for (let start = html.indexOf('<!--'); start >= 0; start = html.indexOf('<!--', start)) {
    line += countLineBreaks(html, counted, start);
    counted = start;
    // "<!-->" and "<!--->" are whole comments.
    const hyphens = html.startsWith('>', start + 4) ? 2 : html.startsWith('->', start + 4) ? 3 : 4;
    const end = html.indexOf('-->', start + hyphens);
    if (end < 0) break;
    comments.push({ text: html.slice(start + 4, end).trim(), line });
    start = end + 3;
  }
  return comments;
}

/** The number of line feeds in `text` between two offsets. */
export function countLineBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === 10) count++;
  return count;
}
