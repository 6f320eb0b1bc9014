// The files of a skill as the index sees them: which there are, whether they changed, and what they say.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  decodeText,
  hashFileInside,
  isMissing,
  MAX_SEARCHED_BYTES,
  MAX_TEXT_BYTES,
  readError,
  readInside,
  sha256,
  walkTree,
} from '../../base/files/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import { hasSections } from './section.ts';

/** Files that are text going by their names. */
const textName = /\.(?:md|txt|json|ya?ml|toml|csv)$/i;

/** What the disk says about a file without reading it. Times are in nanoseconds. */
export interface FileStat {
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** A file as it was when it was read; `path` is relative to the skill, with `/`. */
export interface IndexedFile extends FileStat {
  readonly path: string;
  readonly sha256: string;
  /** True when something of it can be found: not for binary files and those that are too large to be read. */
  readonly indexed: boolean;
  /** True for text that cannot be searched because the file is too large; its headings can, if it is Markdown. */
  readonly leftOut: boolean;
  /** What its text costs a model; 0 for binary files and those that are too large to be read. */
  readonly tokens: number;
}

/** A file and its text; the text is undefined when nothing of it is indexed. */
export interface ReadFile {
  readonly file: IndexedFile;
  readonly text: string | undefined;
}

/** The paths of all files of a skill in bytewise order. E015 when a directory cannot be listed. */
export function listSourceFiles(sourceDir: string): string[] {
  const paths: string[] = [];
  for (const entry of walkTree(sourceDir).entries) {
    if (entry.kind === 'file') paths.push(entry.path);
    else if (entry.kind === 'unreadable')
      throw SkillwrightError.of('E015', { path: entry.path || sourceDir, why: entry.why ?? 'unreadable' });
  }
  return paths;
}

/** The state of a file, links followed; undefined when it is gone. */
export function statSkillFile(sourceDir: string, path: string): FileStat | undefined {
  try {
    const status = statSync(join(sourceDir, path), { bigint: true, throwIfNoEntry: false });
    if (status === undefined || !status.isFile()) return undefined;
    return { size: Number(status.size), mtimeNs: status.mtimeNs, ctimeNs: status.ctimeNs };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw readError(path, error);
  }
}

/** True when the disk says that a file is as it was. */
export function isSameStat(a: FileStat, b: FileStat): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

/** Reads a file, or undefined when it is gone. E012 and E015 as for any read inside a skill. */
export function readSkillFile(sourceDir: string, path: string): ReadFile | undefined {
  const before = Date.now();
  const stat = statSkillFile(sourceDir, path);
  if (stat === undefined) return undefined;
  const trusted = { ...stat, ctimeNs: isPastClockTick(stat, before) ? stat.ctimeNs : 0n };
  if (stat.size > MAX_TEXT_BYTES) {
    const hash = hashFileInside(sourceDir, path);
    const leftOut = textName.test(path);
    return hash === undefined
      ? undefined
      : { file: { path, ...trusted, sha256: hash, indexed: false, leftOut, tokens: 0 }, text: undefined };
  }
  // Between looking and reading the file may grow; a little more than the limit is then still read.
  const bytes = readInside(sourceDir, path, { maxBytes: 2 * MAX_TEXT_BYTES });
  if (bytes === undefined) return undefined;
  const { text, valid, binary } = decodeText(bytes);
  const leftOut = valid && !binary && bytes.length > MAX_SEARCHED_BYTES;
  const indexed = valid && !binary && (!leftOut || hasSections(path));
  return {
    file: {
      path,
      ...trusted,
      sha256: sha256(bytes),
      indexed,
      leftOut,
      tokens: binary ? 0 : estimateTokens(text),
    },
    text: indexed ? text : undefined,
  };
}

/**
 * Clocks of file systems tick: a file changed just now may change again and look the same. Such a file is recorded
 * with a change time of 0, which no file has, so its content decides the next time. Whole seconds betray a file
 * system that knows nothing finer.
 */
function isPastClockTick(stat: FileStat, now: number): boolean {
  const coarse = stat.mtimeNs % 1_000_000_000n === 0n && stat.ctimeNs % 1_000_000_000n === 0n;
  return now - Number(stat.ctimeNs / 1_000_000n) > (coarse ? 2500 : 50);
}
