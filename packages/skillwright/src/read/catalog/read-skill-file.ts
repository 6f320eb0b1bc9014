// Reads SKILL.md files one after another.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { MAX_TEXT_BYTES, tooLarge } from '../../base/files/index.ts';
import { type FileStamp, makeStamp } from './file-stamp.ts';

/** A file's bytes and stamp. */
export interface SkillFile {
  /** Valid until the next file is read. */
  readonly bytes: Buffer;
  readonly mtimeMs: number;
  readonly stamp: FileStamp | undefined;
}

const SPACE_BYTES = 1024 * 1024;

/**
 * Creates a reader of regular files that does not follow links. It reuses one buffer, because thousands of small
 * buffers would burden the garbage collector. E015 when the path is not a file or is too large; else throws system errors.
 */
export function createFileReader(): (path: string) => SkillFile {
  let space: Buffer | undefined;
  return (path) => {
    const now = Date.now();
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const descriptor = openSync(path, flags);
    try {
      const status = fstatSync(descriptor);
      if (!status.isFile()) throw SkillwrightError.of('E015', { path, why: 'not a regular file' });
      const { size } = status;
      if (size > MAX_TEXT_BYTES) throw tooLarge(path, MAX_TEXT_BYTES);
      if (size <= SPACE_BYTES) space ??= Buffer.allocUnsafeSlow(SPACE_BYTES);
      const target = size <= SPACE_BYTES && space !== undefined ? space : Buffer.allocUnsafeSlow(size);
      let length = 0;
      // Bytes added during the read show in the stamp next time.
      while (length < size) {
        const count = readSync(descriptor, target, length, size - length, null);
        if (count === 0) break;
        length += count;
      }
      const bytes = target.subarray(0, length);
      return { bytes, mtimeMs: status.mtimeMs, stamp: makeStamp(status, now) };
    } finally {
      closeSync(descriptor);
    }
  };
}
