// Splits a long text into pages. Offsets are bytes of UTF-8, so even a single line of a megabyte can be read in full.

import { invalidOption } from '../../base/diagnostics/index.ts';

/** The requested page. */
interface TextPart {
  /** Bytes to skip: 0, or the `next_offset` of the previous page. */
  readonly offset?: number | undefined;
  /** Most bytes. */
  readonly limit: number;
  /** End at a line end when the page contains one. */
  readonly atLines?: boolean;
}

/** A page of a text. */
export interface TextPage {
  readonly content: string;
  /** Byte offset of this page. */
  readonly offset: number;
  /** Size of the whole text in bytes. */
  readonly size: number;
  /** True when more text follows. */
  readonly truncated: boolean;
  /** Offset of the next page; null at the end of the text. */
  readonly next_offset: number | null;
}

/** The page at an offset. Never splits a character, and always makes progress. E100 for an invalid number. */
export function pageText(text: string, { offset = 0, limit, atLines = false }: TextPart): TextPage {
  for (const [name, value, least] of [
    ['offset', offset, 0],
    ['limit', limit, 1],
  ] as const)
    if (!Number.isSafeInteger(value) || value < least)
      throw invalidOption(`${name} must be a whole number of bytes`);
  const bytes = Buffer.from(text);
  const { length: size } = bytes;
  const start = characterStart(bytes, Math.min(offset, size));
  const end = start + limit >= size ? size : endOf(bytes, { start, limit, atLines });
  const truncated = end < size;
  const content = bytes.subarray(start, end).toString('utf8');
  return { content, offset: start, size, truncated, next_offset: truncated ? end : null };
}

/** `these are bytes 0 to 100 of 250`, for a sentence about a page. */
export function describePage({ offset, size, next_offset }: TextPage): string {
  return `these are bytes ${offset} to ${next_offset ?? size} of ${size}`;
}

function endOf(
  bytes: Buffer,
  { start, limit, atLines }: { start: number; limit: number; atLines: boolean },
): number {
  const most = characterStart(bytes, start + limit);
  const lineEnd = atLines ? bytes.lastIndexOf(0x0a, most - 1) + 1 : 0;
  if (lineEnd > start) return lineEnd;
  // A page holds at least one character.
  return most > start ? most : nextCharacter(bytes, start);
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** The offset itself, or the start of the character around it. */
function characterStart(bytes: Uint8Array, place: number): number {
  let start = place;
  while (start > 0 && isContinuation(bytes[start])) start -= 1;
  return start;
}

function nextCharacter(bytes: Uint8Array, place: number): number {
  let next = Math.min(place + 1, bytes.length);
  while (isContinuation(bytes[next])) next += 1;
  return next;
}
