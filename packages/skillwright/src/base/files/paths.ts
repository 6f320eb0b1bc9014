// Paths: real ones, how they are shown, and what is at one.

import { type BigIntStats, lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isMissing, readError, systemErrorCode } from './system-error.ts';

/**
 * The path with links resolved; throws the system's error. A link to an open pipe or socket leads to no path: Bun returns its
 * description, which would count as relative to the working directory.
 */
export function readRealPath(path: string): string {
  const real = realpathSync.native(path);
  if (isAbsolute(real)) return real;
  throw Object.assign(new Error(`ENOENT: no such file or directory, realpath '${path}'`), { code: 'ENOENT' });
}

/** The path as the disk knows it. E015 when nothing is there, or it cannot be looked at. */
export function canonicalPath(path: string): string {
  try {
    return readRealPath(path);
  } catch (error) {
    throw readError(path, error);
  }
}

/** The path with links resolved; unchanged if it is missing or inaccessible. */
export function realPath(path: string): string {
  try {
    return readRealPath(path);
  } catch {
    return path;
  }
}

/**
 * The status of the entry at a path. Undefined when there is none, also where a part of the path is a file, or where no
 * file system can name it. E015 when it cannot be looked at.
 */
export const statusAt = (path: string): Stats | undefined => lookAt(path, () => lstatSync(path, quietly));

/** Like `statusAt`, of several paths. */
export const statusesAt = (paths: readonly string[]) => paths.map(statusAt);

/** Like `statusAt`, with links followed. */
export const targetAt = (path: string): Stats | undefined => lookAt(path, () => statSync(path, quietly));

/** Like `statusAt`, with exact numbers, so that a file that was replaced is told from the one before. */
export const exactStatusAt = (path: string): BigIntStats | undefined =>
  lookAt(path, () => lstatSync(path, { bigint: true, ...quietly }));

/** Like `exactStatusAt`, with links followed. */
export const exactTargetAt = (path: string): BigIntStats | undefined =>
  lookAt(path, () => statSync(path, { bigint: true, ...quietly }));

const quietly = { throwIfNoEntry: false } as const;

/** Bun throws where a part of the path is a file, Node does not. */
function lookAt<Status>(path: string, look: () => Status): Status | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error) || systemErrorCode(error) === 'ENAMETOOLONG') return undefined;
    throw readError(path, error);
  }
}

/** Whether anything is at a path, a link that leads nowhere included. */
export function isThere(path: string): boolean {
  return statusAt(path) !== undefined;
}

/** The path with the links of every directory above it resolved, as far as they exist. E015 when one leads nowhere. */
export function realPathAhead(path: string): string {
  if (isThere(path) || dirname(path) === path) return canonicalPath(path);
  return join(realPathAhead(dirname(path)), basename(path));
}

/** True for a directory, also one reached through a link; false for anything else or nothing. */
export function isDirectory(path: string): boolean {
  try {
    return targetAt(path)?.isDirectory() ?? false;
  } catch {
    // No permission, a loop of links, an invalid name: not usable as a directory.
    return false;
  }
}

/** Changes when a file is replaced or written; undefined if it is missing or inaccessible. */
export function lookOf(path: string): string | undefined {
  try {
    const status = exactTargetAt(path);
    return status && [status.dev, status.ino, status.size, status.mtimeNs, status.ctimeNs].join();
  } catch {
    return undefined;
  }
}

/** Relative to the working directory where the path is below it, absolute elsewhere. */
export function displayPath(cwd: string, path: string): string {
  const difference = relative(cwd, path);
  if (difference === '') return '.';
  return difference === '..' || difference.startsWith(`..${sep}`) || isAbsolute(difference)
    ? path
    : difference;
}

/** Whether a word names a place on the disk, not an agent or a skill: on Windows also `.\x` and `C:x`. */
export function isPathLike(word: string, platform: NodeJS.Platform = process.platform): boolean {
  return word.includes('/') || (platform === 'win32' && /\\|^[a-z]:/i.test(word));
}

/** The absolute path that a person means: `~` is the home directory, anything else starts at the working directory. */
export function typedPath(
  word: string,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): string {
  const isInHome = word === '~' || word.startsWith('~/') || word.startsWith(`~${sep}`);
  return isInHome ? join(home, word.slice(1)) : resolve(cwd, word);
}

/** A path inside a skill as everybody spells it: on Windows people may type `\`. Elsewhere that is part of a name. */
export function withSlashes(path: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? path.replaceAll('\\', '/') : path;
}

/** The text with percent-encoding resolved; the text itself where that is malformed. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
