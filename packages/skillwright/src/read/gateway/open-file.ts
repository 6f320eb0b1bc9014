// Reads one file of a skill, whole or in part.

import { posix, relative, sep } from 'node:path';
import { invalidOption, SkillwrightError, suggest } from '../../base/diagnostics/index.ts';
import {
  decodeText,
  isDirectory,
  MAX_TEXT_BYTES,
  readInside,
  realPath,
  resolveInside,
  resolvePart,
  withSlashes,
} from '../../base/files/index.ts';
import { foldText } from '../../base/markdown/index.ts';

/** A file, or the requested part of it. */
export interface OpenedFile {
  path: string;
  content: string;
  /** Lines left out at the end. */
  more_lines: number;
  /** False when the file ends before the first requested line. */
  reached: boolean;
}

/** Which part. */
interface OpenRequest {
  readonly path: string;
  readonly maxLines: number | undefined;
  /** First and last line, counted from 1. */
  readonly lines: readonly [from: number, to: number] | undefined;
}

/** The path without `.` and `..`; unchanged when it would lead out. Does not resolve links: that happens later. */
export function plainPath(path: string): string {
  if (!/(?:^|\/)\.\.(?:\/|$)/.test(path)) return path;
  const plain = posix.normalize(path);
  return plain === '..' || plain.startsWith('../') ? path : plain;
}

/** A file, or a part of it. E012 when the path leads out, E021 when there is no such file, E015 when it is not text. */
export function openFile(dir: string, request: OpenRequest): OpenedFile {
  const { lines, maxLines } = request;
  const path = withSlashes(request.path);
  const text = readTextFile(dir, path);
  const part = lines === undefined ? text : sliceLines(text, lines[0], lines[1]);
  const cut = cutLines(part, maxLines);
  const reached = lines === undefined || lines[0] === 1 || part !== '';
  return { path, content: cut.text, more_lines: cut.more, reached };
}

/** Text of a file of the skill in `dir`. Checks the path as written, and again after resolving links. */
export function readTextFile(dir: string, path: string): string {
  const place = plainPath(path);
  const real = resolvePart(dir, place);
  if (real === undefined || path === '' || isDirectory(real)) {
    const isHidden = path !== '' && real === undefined && resolveInside(dir, place) !== undefined;
    const help = 'hidden files and node_modules are not part of a skill';
    throw SkillwrightError.of('E021', { file: path }, isHidden ? { help } : {});
  }
  const bytes = readInside(dir, place, { maxBytes: MAX_TEXT_BYTES });
  if (bytes === undefined) throw SkillwrightError.of('E021', { file: path });
  const { text, binary } = decodeText(bytes);
  if (!binary) return text;
  throw SkillwrightError.of('E015', { path, why: 'binary file' }, { help: 'only text files can be opened' });
}

/** Real path of a file of the skill in `dir`, relative to it, with `/`. E012 when outside. */
export function pathInside(dir: string, path: string): string {
  const real = resolveInside(dir, plainPath(path));
  return real === undefined ? path : relative(realPath(dir), real).split(sep).join('/');
}

const MAX_SUGGESTIONS = 3;

/** E021 for a file that is not in `files`, with similar ones. */
export function fileNotFound(file: string, files: readonly string[]): SkillwrightError {
  const suggestions = suggestFiles(file, files);
  if (suggestions.length === 0) return SkillwrightError.of('E021', { file });
  return SkillwrightError.of(
    'E021',
    { file },
    { help: `did you mean ${suggestions.join(', ')}?`, data: { suggestions } },
  );
}

/** Files of the same name elsewhere or with another extension, then similar names. */
function suggestFiles(wanted: string, files: readonly string[]): string[] {
  const name = nameOf(wanted);
  const sameName = files.filter((file) => nameOf(file) === name || stemOf(file) === stemOf(wanted));
  const byName = new Map(files.map((file) => [nameOf(file), file]));
  const alike = [
    ...suggest(wanted, files),
    ...suggest(name, byName.keys()).map((found) => byName.get(found)!),
  ];
  return [...new Set([...sameName, ...alike])].slice(0, MAX_SUGGESTIONS);
}

const nameOf = (path: string) => foldText(path.slice(path.lastIndexOf('/') + 1));
const stemOf = (path: string) => nameOf(path).replace(/\.[^.]*$/, '');

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
