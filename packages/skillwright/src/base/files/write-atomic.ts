// Writing so that a reader sees the old file or the new one, never a part.

import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeError } from './system-error.ts';

/** A name beside `path` for work in progress: hidden, so never part of a skill, and unique to this attempt. */
export function temporaryBeside(path: string): string {
  // The name is cut, so that a long one stays within what a file system allows.
  const name = basename(path).slice(0, 40);
  return join(
    dirname(path),
    `.${name}.${process.pid}-${Math.random().toString(16).slice(2, 10).padEnd(8, '0')}.tmp`,
  );
}

/** Removes work in progress as far as possible: what made the work fail is the error to report, not this. */
export function discardTemporary(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Nothing could be made there in the first place, or the place has become unwritable.
  }
}

/**
 * Replaces `path` with `data` in one step, creating its directory. The permissions are `mode`, else those of the file
 * that was there. E016 when it cannot; the old file is then untouched. `derived` is for what can be made again: it does not
 * wait for the disk, so after a power failure the file may be damaged.
 */
export function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: { mode?: number; derived?: boolean } = {},
): void {
  const temporary = temporaryBeside(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    const before = lstatSync(path, { throwIfNoEntry: false });
    const mode = options.mode ?? (before?.isFile() ? before.mode & 0o777 : undefined);
    const descriptor = openSync(temporary, 'wx', mode ?? 0o666);
    try {
      // The process's mask may have taken away what the old file had.
      if (mode !== undefined) fchmodSync(descriptor, mode);
      writeFileSync(descriptor, data);
      if (options.derived !== true) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    discardTemporary(temporary);
    throw writeError(path, error);
  }
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
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes, { ...options, flag: 'wx' });
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
