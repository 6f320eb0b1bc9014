// Bytes of unknown origin as text.

import { isUtf8 } from 'node:buffer';
import { readInside } from './contained-path.ts';

/** Text files above this are not read whole: nothing an author writes by hand comes near it. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/** The text of larger files is not searched; of Markdown the headings are. */
export const MAX_SEARCHED_BYTES = 1024 * 1024;

/** Bytes read as UTF-8. `binary`: a NUL byte within the first 8 KiB. `valid`: every byte sequence was UTF-8. */
interface DecodedText {
  readonly text: string;
  readonly valid: boolean;
  readonly binary: boolean;
}

const SNIFF_BYTES = 8192;

/** Decodes without ever throwing; invalid sequences become U+FFFD. A byte order mark is kept for the caller to see. */
export function decodeText({ buffer, byteOffset, byteLength }: Uint8Array): DecodedText {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return {
    text: bytes.toString('utf8'),
    valid: isUtf8(bytes),
    binary: bytes.subarray(0, SNIFF_BYTES).includes(0),
  };
}

/** The lines of a text: LF, CRLF and CR end a line, and a final line end opens no further line. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The text of a file inside `root`; undefined when it is missing or binary. E012 when links lead out, E015 when unreadable. */
export function readTextInside(root: string, path: string): string | undefined {
  const bytes = readInside(root, path, { maxBytes: MAX_TEXT_BYTES });
  const decoded = bytes === undefined ? undefined : decodeText(bytes);
  return decoded === undefined || decoded.binary ? undefined : decoded.text;
}
