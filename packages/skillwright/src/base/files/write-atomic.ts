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
