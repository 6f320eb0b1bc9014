// Reads lines from a stream up to a maximum length; longer lines are discarded.

const NEWLINE = 0x0a;

/** Stands in for a line that is too long, as soon as that is known. */
export const TOO_LONG = Symbol('too long');

/** Lines of the stream as bytes, without line ends. The last line needs none. */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array | typeof TOO_LONG> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let skipping = false;
  for await (const chunk of input) {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(NEWLINE, start);
      const part = chunk.subarray(start, end === -1 ? chunk.length : end);
      start += part.length + 1;
      size += part.length;
      if (!skipping && size > maxBytes) {
        skipping = true;
        parts = [];
        yield TOO_LONG;
      }
      if (!skipping) parts.push(part);
      if (end === -1) break;
      if (!skipping) yield Buffer.concat(parts);
      parts = [];
      size = 0;
      skipping = false;
    }
  }
  if (!skipping && size > 0) yield Buffer.concat(parts);
}
