// Paths: real ones, how they are shown, and what is at one.

import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { orUndefined } from '../diagnostics/index.ts';
import { isMissing, readError, systemErrorCode } from './system-error.ts';

/** The path as the disk knows it. E015 when nothing is there, or it cannot be looked at. */
export function canonicalPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    throw readError(path, error);
  }
}

/** The path with links resolved; unchanged if it is missing or inaccessible. */
export function realPath(path: string): string {
  return orUndefined(() => realpathSync.native(path)) ?? path;
}

/**
 * The status of what stands at a path. Undefined when nothing does, also where a part of the path is a file, or where no
 * file system can name it. E015 when it cannot be looked at.
 */
export function statusAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error) || systemErrorCode(error) === 'ENAMETOOLONG') return undefined;
    throw readError(path, error);
  }
}

/** Whether anything stands at a path, a link that leads nowhere included. */
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
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // No permission, a loop of links, an invalid name: not usable as a directory.
    return false;
  }
}

/** Changes when a file is replaced or written; undefined if it is missing or inaccessible. */
export function lookOf(path: string): string | undefined {
  const status = orUndefined(() => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return status && [status.dev, status.ino, status.size, status.mtimeNs, status.ctimeNs].join();
}

/** True when somebody may execute the file; false also when it is not there, or cannot be looked at. */
export function hasExecuteBit(path: string): boolean {
  return ((orUndefined(() => statSync(path).mode) ?? 0) & 0o111) !== 0;
}

/** Relative to the working directory where the path lies below it, absolute elsewhere. */
export function displayPath(cwd: string, path: string): string {
  const difference = relative(cwd, path);
  if (difference === '') return '.';
  return difference === '..' || difference.startsWith(`..${sep}`) || isAbsolute(difference)
    ? path
    : difference;
}

/** The text with percent-encoding resolved; the text itself where that is malformed. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
