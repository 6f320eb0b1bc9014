// Line numbers, for texts with any of the three line ends.

/** Line ends before `end`: LF, CRLF (one), or CR alone. */
export function countLineEnds(text: string, end: number = text.length): number {
  let count = 0;
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) count++;
  }
  return count;
}
