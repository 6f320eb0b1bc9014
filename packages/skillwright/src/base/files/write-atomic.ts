// Writing so that a reader sees the old file or the new one, never a part.

import { closeSync, fchmodSync, fsyncSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { orUndefined } from '../diagnostics/index.ts';
import { noteExecuteBit } from './execute-bit.ts';
import { statusAt } from './paths.ts';
import { removePath, renamePath } from './retry.ts';
import { systemErrorCode, writeError } from './system-error.ts';

/** A name beside `path` for work in progress: hidden, so never part of a skill, and unique to this attempt. */
export function temporaryBeside(path: string): string {
  // The name is cut, so that a long one stays within what a file system allows.
  const name = basename(path).slice(0, 40);
  return join(
    dirname(path),
    `.${name}.${process.pid}-${Math.random().toString(16).slice(2, 10).padEnd(8, '0')}.tmp`,
  );
}

/** Another process may still be using younger ones. */
const ABANDONED_AFTER_MS = 10 * 60_000;

/**
 * Removes temporary files beside the given names from a directory if they are ten minutes older than `now`; all of them
 * without `now`. Their SQLite journals go as well. Returns the paths removed, or to be removed with `dryRun`.
 */
export function removeLeftovers(
  dir: string,
  options: { names: readonly string[]; now?: Date | undefined; dryRun?: boolean | undefined },
): string[] {
  const { names, now } = options;
  const cut = new Set(names.map((name) => name.slice(0, 40)));
  const isTemporary = (entry: string) => {
    const name = /^\.(.+)\.\d+-[a-z0-9]{1,8}\.tmp(?:-journal)?$/.exec(entry)?.[1];
    return name !== undefined && cut.has(name);
  };
  let entries: string[];
  try {
    entries = readdirSync(dir);
  } catch {
    // No directory, so no leftovers.
    return [];
  }
  return entries.filter(isTemporary).flatMap((entry) => {
    const path = join(dir, entry);
    const changed = statusAt(path)?.mtimeMs;
    if (changed === undefined || (now !== undefined && now.getTime() - changed < ABANDONED_AFTER_MS))
      return [];
    if (options.dryRun !== true) removePath(path, { recursive: true, force: true });
    return [path];
  });
}

/** Removes work in progress as far as possible: what made the work fail is the error to report, not this. */
export function discardTemporary(path: string): void {
  try {
    removePath(path, { recursive: true, force: true });
  } catch {
    // Nothing could be made there in the first place, or the place has become unwritable.
  }
}

/**
 * Replaces `path` with `data` in one step, creating its directory. The permissions are `mode`, else those of the file
 * that was there. E016 when it cannot; the old file is then untouched. `derived` is for what can be made again: it does not
 * wait for the disk, so after a power failure the file may be damaged, and it has the usual permissions.
 */
export function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: { mode?: number; derived?: boolean } = {},
): void {
  const temporary = temporaryBeside(path);
  try {
    const isKept = options.mode === undefined && options.derived !== true;
    const before = isKept ? orUndefined(() => statusAt(path)) : undefined;
    const mode = options.mode ?? (before?.isFile() ? before.mode & 0o777 : undefined);
    const descriptor = makingDirectory(path, () => openSync(temporary, 'wx', mode ?? 0o666));
    try {
      // The process's mask may have taken away what the old file had.
      if (mode !== undefined) fchmodSync(descriptor, mode);
      writeFileSync(descriptor, data);
      if (options.derived !== true) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renamePath(temporary, path);
  } catch (error) {
    discardTemporary(temporary);
    throw writeError(path, error);
  }
}

/** Does something at `path`; again, once its directory has been made, if that is missing. Usually it is there. */
function makingDirectory<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true });
    return work();
  }
}

/** Renames, and makes the directory of the new path if it is missing. */
export function renameInto(from: string, to: string): void {
  makingDirectory(to, () => renamePath(from, to));
}

/** Makes a directory and its parents, unless it exists. E016 if it cannot. */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw writeError(path, error);
  }
}

/** Writes a file that must not exist, creating its directory. E016 when it cannot. */
export function writeNewFile(path: string, bytes: Uint8Array, options: { mode?: number } = {}): void {
  try {
    makingDirectory(path, () => writeFileSync(path, bytes, { ...options, flag: 'wx' }));
    if (options.mode !== undefined) noteExecuteBit(path, (options.mode & 0o111) !== 0);
  } catch (error) {
    throw writeError(path, error);
  }
}

const AT_ONCE = 64;
/** Windows flushes only what is open for writing. */
const flags = process.platform === 'win32' ? 'r+' : 'r';

/** Returns when the content of all these files is on the disk. */
export async function syncFiles(paths: readonly string[]): Promise<void> {
  for (let first = 0; first < paths.length; first += AT_ONCE)
    await Promise.all(paths.slice(first, first + AT_ONCE).map(syncOpened));
}

/** Returns when the content of one file is on the disk. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

async function syncOpened(path: string): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
