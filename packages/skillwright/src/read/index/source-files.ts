// The files of a skill for the index: their paths, changes and text.

import { join } from 'node:path';
import { type Diagnostic, diagnose, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  decodeText,
  exactTargetAt,
  formatBytes,
  hashFileInside,
  isEvalFile,
  isMissing,
  MAX_HEADINGS,
  MAX_SEARCHED_BYTES,
  MAX_TEXT_BYTES,
  readError,
  readInside,
  sha256,
  walkTree,
} from '../../base/files/index.ts';
import { estimateTokens } from '../../base/tokens/index.ts';
import type { FileRow } from './database.ts';
import { hasSections } from './section.ts';

/** File names of text files. */
const textName = /\.(?:md|txt|json|ya?ml|toml|csv)$/i;

/** Stat of a file. Times are in nanoseconds. */
export interface FileStat {
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** A file as read; `path` is relative to the skill, with `/`. */
export interface IndexedFile extends FileStat {
  readonly path: string;
  readonly sha256: string;
  /** True when part of it is searchable: false for binary files, evals, and files too large to be read. */
  readonly indexed: boolean;
  /** True for text that is not searchable because the file is too large; headings of Markdown still are. */
  readonly leftOut: boolean;
  /** Token cost of its text; 0 for binary files, evals, and files too large to be read. */
  readonly tokens: number;
}

/** A file and its text; the text is undefined when no part of it is indexed. */
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

/** Stat of a file, following links; undefined when it is gone. */
export function statSkillFile(sourceDir: string, path: string): FileStat | undefined {
  try {
    const status = exactTargetAt(join(sourceDir, path));
    if (status === undefined || !status.isFile()) return undefined;
    return { size: Number(status.size), mtimeNs: status.mtimeNs, ctimeNs: status.ctimeNs };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw readError(path, error);
  }
}

/** True when the stat of a file is unchanged. */
export function isSameStat(a: FileStat, b: FileStat): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

/** Reads a file, or undefined when it is gone. E012 and E015 as for any read inside a skill. */
export function readSkillFile(sourceDir: string, path: string): ReadFile | undefined {
  const before = Date.now();
  const stat = statSkillFile(sourceDir, path);
  if (stat === undefined) return undefined;
  const trusted = trustedStat(stat, before);
  const isEval = isEvalFile(path);
  if (stat.size > MAX_TEXT_BYTES || isEval) {
    const hash = hashFileInside(sourceDir, path);
    const leftOut = !isEval && textName.test(path);
    return hash === undefined
      ? undefined
      : { file: { path, ...trusted, sha256: hash, indexed: false, leftOut, tokens: 0 }, text: undefined };
  }
  const bytes = readBytes(sourceDir, path);
  if (bytes === undefined) return undefined;
  const { text, binary } = decodeText(bytes);
  const leftOut = !binary && bytes.length > MAX_SEARCHED_BYTES;
  const indexed = !binary && (!leftOut || hasSections(path));
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

/** The bytes of a file. It may grow between stat and read, so there is room for more than the limit. */
const readBytes = (sourceDir: string, path: string) =>
  readInside(sourceDir, path, { maxBytes: 2 * MAX_TEXT_BYTES });

/** The text of an indexed file; undefined when it is gone or its content is not that of its row. */
export function readIndexedText(sourceDir: string, row: IndexedFile): string | undefined {
  const bytes = readBytes(sourceDir, row.path);
  return bytes === undefined || sha256(bytes) !== row.sha256 ? undefined : decodeText(bytes).text;
}

/**
 * File system clocks tick: a file changed just before `now` may change again and look the same. Such a file is recorded
 * with a change time of 0, which no real file has, so its content decides next time. Whole seconds indicate a file
 * system without finer times.
 */
export function trustedStat(stat: FileStat, now: number): FileStat {
  const coarse = stat.mtimeNs % 1_000_000_000n === 0n && stat.ctimeNs % 1_000_000_000n === 0n;
  const isPast = now - Number(stat.ctimeNs / 1_000_000n) > (coarse ? 2500 : 50);
  return isPast ? stat : { ...stat, ctimeNs: 0n };
}

/** Files that are not searched although one would expect it: text that is too large, and Markdown that holds evals or is not text. */
export const unsearchedFiles = (
  files: readonly Pick<IndexedFile, 'path' | 'indexed' | 'leftOut'>[],
): string[] =>
  files
    .filter(({ path, indexed, leftOut }) => leftOut || (!indexed && hasSections(path)))
    .map(({ path }) => path);

/** W012 for each file whose text is left out, W013 for each with more headings than listed. */
export function describeLeftOut(files: readonly FileRow[]): Diagnostic[] {
  return files.flatMap(({ path: file, size, leftOut, cutHeadings }) => [
    ...(leftOut
      ? [
          diagnose(
            'W012',
            { file, size: formatBytes(size), limit: formatBytes(MAX_SEARCHED_BYTES) },
            { data: { file } },
          ),
        ]
      : []),
    ...(cutHeadings ? [diagnose('W013', { file, limit: String(MAX_HEADINGS) })] : []),
  ]);
}
