// Reads one file of a skill.

import { posix, relative, sep } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  decodeText,
  isDirectory,
  MAX_TEXT_BYTES,
  readInside,
  realPath,
  resolveInside,
  resolvePart,
} from '../../base/files/index.ts';
import { cutLines, sliceLines } from './cut-lines.ts';

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
  const { path, lines, maxLines } = request;
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
  const { text, valid, binary } = decodeText(bytes);
  if (!binary && valid) return text;
  const why = binary ? 'binary file' : 'not UTF-8 text';
  throw SkillwrightError.of('E015', { path, why }, { help: 'only text files can be opened' });
}

/** Real path of a file of the skill in `dir`, relative to it, with `/`. E012 when outside. */
export function pathInside(dir: string, path: string): string {
  const real = resolveInside(dir, plainPath(path));
  return real === undefined ? path : relative(realPath(dir), real).split(sep).join('/');
}
