// Lines of a stream, none longer than a bound: what is too long is not even kept.

const NEWLINE = 0x0a;

/** What stands for a line that has too many bytes; it comes as soon as that is known. */
export const TOO_LONG = Symbol('too long');

/** The lines of the stream as bytes, without their ends. The last one needs no end. */
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
