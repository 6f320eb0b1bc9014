// Paths that must stay inside a directory: the lexical check, the check after links are resolved,
// and opening a file so that a link swapped in between cannot lead out.

import { closeSync, constants, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { orUndefined, SkillwrightError } from '../diagnostics/index.ts';
import { readDescriptor } from './read-regular-file.ts';
import { isMissing, readError, systemErrorCode } from './system-error.ts';

/** True when `path` is `root` or lies below it. Both must be absolute and already resolved. */
export function isInside(root: string, path: string): boolean {
  if (path === root) return true;
  const difference = relative(root, path);
  return (
    difference !== '' && difference !== '..' && !difference.startsWith(`..${sep}`) && !isAbsolute(difference)
  );
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
  const joined = joinInside(root, path);
  try {
    const real = realpathSync.native(joined);
    if (!isInside(realpathSync.native(root), real)) throw escapes(path);
    return real;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw readError(path, error);
  }
}

/** The bytes of a regular file inside `root`; undefined when there is none, E012 when links lead out, E015 when unreadable. */
export function readInside(root: string, path: string, limits: { maxBytes: number }): Buffer | undefined {
  // A file directly in the root that is not a link is inside; only the others need their links resolved.
  const direct = /[\\/]/.test(path) ? undefined : openWithoutLink(joinInside(root, path), path);
  if (typeof direct === 'number') return readAndClose(direct, path, limits);
  const real = direct === 'missing' ? undefined : resolveInside(root, path);
  const descriptor = real === undefined ? 'missing' : openWithoutLink(real, path);
  if (descriptor === 'missing') return undefined;
  if (descriptor === 'link' || wasSwapped(descriptor, root, real!)) {
    if (descriptor !== 'link') closeSync(descriptor);
    throw escapes(path);
  }
  return readAndClose(descriptor, path, limits);
}

/** Opens without following a link at the end and without waiting for a pipe's writer: what is opened is what was named. */
function openWithoutLink(file: string, path: string): number | 'missing' | 'link' {
  try {
    return openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isMissing(error)) return 'missing';
    if (systemErrorCode(error) === 'ELOOP') return 'link';
    throw readError(path, error);
  }
}

/** Whether what was opened lies outside after all: a directory on the way was swapped for a link in between. */
function wasSwapped(descriptor: number, root: string, real: string): boolean {
  return !isInside(realpathSync.native(root), pathOfDescriptor(descriptor) ?? realpathSync.native(real));
}

function readAndClose(descriptor: number, path: string, limits: { maxBytes: number }): Buffer {
  try {
    return readDescriptor(descriptor, path, limits);
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

/** Where a path from `root` leads: to a file inside, to nothing, or out of it. */
export function locateFile(root: string, path: string): 'file' | 'nothing' | 'outside' {
  try {
    const real = resolveInside(root, path);
    return real !== undefined && statSync(real).isFile() ? 'file' : 'nothing';
  } catch (error) {
    return error instanceof SkillwrightError && error.code === 'E012' ? 'outside' : 'nothing';
  }
}
