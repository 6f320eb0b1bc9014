// Reads regular files only: never blocks on a pipe, never reads an endless device, never exceeds the limit. And bytes of
// unknown origin as text.

import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { formatCount, SkillwrightError } from '../diagnostics/index.ts';
import { isMissing, readError } from './system-error.ts';

/** Text files above this are not read whole: nothing an author writes by hand comes near it. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/** The text of larger files is not searched; of Markdown the headings are. */
export const MAX_SEARCHED_BYTES = 1024 * 1024;

/** Further headings of one text are counted, not kept: a file of nothing but headings would need gigabytes. */
export const MAX_HEADINGS = 50_000;

/**
 * Bytes read as text. `valid`: every byte sequence was UTF-8. Damaged sequences become U+FFFD; text in another
 * encoding is read as UTF-16 if it has that byte order mark, else as Windows-1252, which Latin-1 is a part of. `binary`: a NUL byte within the first 8 KiB, or any other control character if it is not UTF-8.
 */
interface DecodedText {
  readonly text: string;
  readonly valid: boolean;
  readonly binary: boolean;
}

const SNIFF_BYTES = 8192;

/** Decodes without ever throwing. A byte order mark is kept for the caller to see. */
export function decodeText({ buffer, byteOffset, byteLength }: Uint8Array): DecodedText {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const valid = isUtf8(bytes);
  const start = bytes.subarray(0, SNIFF_BYTES);
  const wide = valid ? undefined : decodeWide(bytes);
  if (wide !== undefined) return { text: wide, valid, binary: false };
  const binary = start.includes(0) || (!valid && control.test(start.toString('latin1')));
  const text = bytes.toString('utf8');
  if (valid || binary || isDamaged(text)) return { text, valid, binary };
  return { text: new TextDecoder('windows-1252').decode(bytes), valid, binary };
}

/** Text in UTF-16 with a byte order mark; undefined for anything else, such as sound that starts with the same bytes. */
function decodeWide(bytes: Buffer): string | undefined {
  const mark = bytes.subarray(0, 2).toString('latin1');
  if (bytes.length % 2 === 1 || (mark !== '\xff\xfe' && mark !== '\xfe\xff')) return undefined;
  const text = (mark === '\xff\xfe' ? bytes : Buffer.from(bytes).swap16()).toString('utf16le');
  return /[\0\ufffe]/.test(text) || control.test(text) || !text.isWellFormed() ? undefined : text;
}

/** UTF-8 with a few damaged characters, rather than another encoding. */
function isDamaged(text: string): boolean {
  const replaced = text.match(/\ufffd/g)?.length ?? 0;
  return (text.match(/[^\x00-\x7f\ufffd]/g)?.length ?? 0) > replaced;
}

/** Control characters other than white space and escape. */
const control = /[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]/;

/** The lines of a text: LF, CRLF and CR end a line, and a final line end opens no further line. */
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The bytes of a regular file, links followed; undefined if it is missing, E015 if it is something else or too large. */
export function readRegularFile(path: string, limits: { maxBytes: number }): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw readError(path, error);
  }
  try {
    return readDescriptor(descriptor, path, limits);
  } finally {
    closeSync(descriptor);
  }
}

/** The bytes of an open descriptor; E015 names `path` if it is not a regular file or too large. */
export function readDescriptor(descriptor: number, path: string, limits: { maxBytes: number }): Buffer {
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw SkillwrightError.of('E015', { path, why: 'not a regular file' });
    if (status.size > limits.maxBytes) throw tooLarge(path, limits.maxBytes);
    return readFileSync(descriptor);
  } catch (error) {
    throw readError(path, error);
  }
}

/** E015 for a file over its limit. */
export function tooLarge(path: string, maxBytes: number): SkillwrightError {
  return SkillwrightError.of('E015', { path, why: `larger than ${formatBytes(maxBytes)}` });
}

/** `5 MiB`, `812 KiB`, `17 bytes`: a size as a person reads it. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return formatCount(bytes, 'byte');
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KiB'] : [bytes / (1024 * 1024), 'MiB'];
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}`;
}
