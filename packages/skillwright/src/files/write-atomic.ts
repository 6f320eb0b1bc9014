// Writing so that a reader sees the old file or the new one, never a part.

import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeError } from './system-error.ts';

/** A name beside `path` for work in progress: hidden, so never part of a skill, and unique to this attempt. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`);
}

/** Replaces `path` with `data` in one step, creating its directory. E016 when it cannot; the old file is then untouched. */
export function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: { mode?: number } = {},
): void {
  const temporary = temporaryBeside(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    const descriptor = openSync(temporary, 'wx', options.mode ?? 0o666);
    try {
      writeFileSync(descriptor, data);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw writeError(path, error);
  }
}
