// One file of a skill, as it is.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { decodeText, MAX_TEXT_BYTES, readInside, resolveInside } from '../../base/files/index.ts';
import { isDirectory } from '../../skill/places/index.ts';
import { cutLines, sliceLines } from './cut-lines.ts';

/** A file, or the part of it that was asked for. */
export interface OpenedFile {
  path: string;
  content: string;
  /** Lines left out at the end. */
  more_lines: number;
  /** False when the file ends before the first line that was asked for. */
  reached: boolean;
}

/** Which part. */
export interface OpenRequest {
  readonly path: string;
  readonly maxLines: number | undefined;
  /** First and last line, counted from 1. */
  readonly lines: readonly [from: number, to: number] | undefined;
}

/** Reads a text file of the skill in `dir`. E012 when the path leads out, E021 when there is no such file, E015 when it is no text. */
export function openFile(dir: string, request: OpenRequest): OpenedFile {
  const { path, lines, maxLines } = request;
  const real = resolveInside(dir, path);
  if (real === undefined || path === '' || isDirectory(real))
    throw SkillwrightError.of('E021', { file: path });
  const bytes = readInside(dir, path, { maxBytes: MAX_TEXT_BYTES });
  if (bytes === undefined) throw SkillwrightError.of('E021', { file: path });
  const { text, valid, binary } = decodeText(bytes);
  if (binary || !valid) {
    const why = binary ? 'it is a binary file' : 'it is not UTF-8 text';
    throw SkillwrightError.of('E015', { path, why }, { help: 'only text files can be opened' });
  }
  const part = lines === undefined ? text : sliceLines(text, lines[0], lines[1]);
  const cut = cutLines(part, maxLines);
  const reached = lines === undefined || lines[0] === 1 || part !== '';
  return { path, content: cut.text, more_lines: cut.more, reached };
}
