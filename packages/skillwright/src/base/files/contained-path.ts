// Paths that must stay inside a directory: the lexical check, the check after links are resolved, opening a file so that a
// link swapped in between cannot lead out, and refusing links in directories that someone else may have prepared.

import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { orUndefined, SkillwrightError } from '../diagnostics/index.ts';
import { anyName, namesIn } from './compare-paths.ts';
import { hasExecuteBit } from './execute-bit.ts';
import { readRealPath } from './paths.ts';
import { decodeText, MAX_TEXT_BYTES, readDescriptor } from './read-text.ts';
import { isMissing, readError, systemErrorCode } from './system-error.ts';

/** True when `path` is `root` or is below it. Both must be absolute and already resolved. */
export function isInside(root: string, path: string): boolean {
  // Empty for the same place, also in other letters, where the platform does not tell them apart.
  const difference = relative(root, path);
  return difference !== '..' && !difference.startsWith(`..${sep}`) && !isAbsolute(difference);
}

/** `root` joined with a relative path that stays inside by its spelling alone; E012 otherwise. */
export function joinInside(root: string, path: string): string {
  if (path.includes('\0') || isAbsolute(path) || /^[a-z]:/i.test(path) || path.startsWith('\\'))
    throw escapes(path);
  if (path.split(/[\\/]/).includes('..')) throw escapes(path);
  const joined = join(root, path);
  if (!isInside(root, joined)) throw escapes(path);
  return joined;
}

/**
 * The real path of something inside `root`, links resolved; E012 when they lead out, undefined when nothing is there.
 * `root` may itself be reached through links.
 */
export function resolveInside(root: string, path: string): string | undefined {
  return resolveBoth(root, path)?.real;
}

/** The real paths of `root` and of something inside it. */
function resolveBoth(root: string, path: string): { realRoot: string; real: string } | undefined {
  const joined = joinInside(root, path);
  try {
    const real = readRealPath(joined);
    // Without a link on the whole way, the root is the real one too.
    const realRoot = real === joined ? root : readRealPath(root);
    if (!isInside(realRoot, real)) throw escapes(path);
    return { realRoot, real };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw readError(path, error);
  }
}

/** The bytes of a regular file inside `root`; undefined when there is none, E012 when links lead out, E015 when unreadable. */
export function readInside(root: string, path: string, limits: { maxBytes: number }): Buffer | undefined {
  return readFileInside(root, path, limits)?.bytes;
}

/** Like `readInside`, with the file's execute bit. */
export function readFileInside(
  root: string,
  path: string,
  limits: { maxBytes: number },
): { bytes: Buffer; executable: boolean } | undefined {
  // A file directly in the root that is not a link is inside; only the others need their links resolved.
  const direct = /[\\/]/.test(path) ? undefined : openWithoutLink(joinInside(root, path), path);
  if (typeof direct === 'number') return readAndClose(direct, { root, path, limits });
  const resolved = direct === 'missing' ? undefined : resolveBoth(root, path);
  const descriptor = resolved === undefined ? 'missing' : openWithoutLink(resolved.real, path);
  if (resolved === undefined || descriptor === 'missing') return undefined;
  if (descriptor === 'link' || wasSwapped(descriptor, resolved)) {
    if (descriptor !== 'link') closeSync(descriptor);
    throw escapes(path);
  }
  return readAndClose(descriptor, { root, path, limits });
}

/** Opens without following a link at the end and without waiting for a pipe's writer: what is opened is what was named. */
function openWithoutLink(file: string, path: string): number | 'missing' | 'link' {
  try {
    if (constants.O_NOFOLLOW === undefined) return openCompared(file);
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isMissing(error)) return 'missing';
    if (systemErrorCode(error) === 'ELOOP') return 'link';
    throw readError(path, error);
  }
}

/** Windows has no flag for it: what was opened must be what stood there before, and that must not be a link. */
export function openCompared(file: string): number | 'link' {
  const before = lstatSync(file, { bigint: true });
  if (before.isSymbolicLink()) return 'link';
  const descriptor = openSync(file, constants.O_RDONLY);
  const opened = fstatSync(descriptor, { bigint: true });
  if (opened.ino === before.ino && opened.dev === before.dev) return descriptor;
  closeSync(descriptor);
  return 'link';
}

/** Whether the opened file is outside: a directory of its path may have been swapped for a link in between. */
function wasSwapped(descriptor: number, { realRoot, real }: { realRoot: string; real: string }): boolean {
  return !isInside(realRoot, pathOfDescriptor(descriptor) ?? readRealPath(real));
}

function readAndClose(
  descriptor: number,
  { root, path, limits }: { root: string; path: string; limits: { maxBytes: number } },
) {
  try {
    const bytes = readDescriptor(descriptor, path, limits);
    const isOnDisk = process.platform !== 'win32';
    return {
      bytes,
      executable: isOnDisk ? (fstatSync(descriptor).mode & 0o111) !== 0 : hasExecuteBit(join(root, path)),
    };
  } finally {
    closeSync(descriptor);
  }
}

function pathOfDescriptor(descriptor: number): string | undefined {
  return orUndefined(() => readlinkSync(`/proc/self/fd/${descriptor}`));
}

function escapes(path: string): SkillwrightError {
  return SkillwrightError.of('E012', { path });
}

/**
 * Whether directories list every name of an existing path as it is spelled. Windows and macOS also find files by other
 * letters, and Windows by `\` between names: such a path leads to nothing on the next machine.
 */
export function isSpelledAsListed(
  root: string,
  path: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (platform !== 'win32' && platform !== 'darwin') return true;
  if (path.includes('\\')) return false;
  let directory = root;
  return path.split('/').every((name) => {
    const parent = directory;
    directory = join(parent, name);
    if (name === '' || name === '.' || name === '..') return true;
    // macOS may list the letters of a name composed or not.
    return namesIn(parent, anyName).some((listed) => listed.normalize() === name.normalize());
  });
}

/** Where a path from `root` leads: to a file inside, to nothing, or out of it. The same on every system. */
export function locateFile(root: string, path: string): 'file' | 'nothing' | 'outside' {
  try {
    const real = resolveInside(root, path);
    const isFile = real !== undefined && statSync(real).isFile() && isSpelledAsListed(root, path);
    return isFile ? 'file' : 'nothing';
  } catch (error) {
    return error instanceof SkillwrightError && error.code === 'E012' ? 'outside' : 'nothing';
  }
}

/** The text of a file inside `root`; undefined when it is missing or binary. E012 when links lead out, E015 when unreadable. */
export function readTextInside(root: string, path: string): string | undefined {
  const bytes = readInside(root, path, { maxBytes: MAX_TEXT_BYTES });
  const decoded = bytes === undefined ? undefined : decodeText(bytes);
  return decoded === undefined || decoded.binary ? undefined : decoded.text;
}

/** The first link on the way from `root` down to `path`, which is below it; `root` itself may be one. */
export function findLink(root: string, path: string): string | undefined {
  let place = root;
  for (const name of relative(root, path).split(sep)) {
    place = join(place, name);
    try {
      if (lstatSync(place).isSymbolicLink()) return place;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw readError(place, error);
    }
  }
  return undefined;
}

/** E017 when something between `root` and `path`, or `path` itself, is a link. */
export function refuseLinks(root: string, path: string): void {
  const link = findLink(root, path);
  if (link !== undefined) throw SkillwrightError.of('E017', { path: link });
}
