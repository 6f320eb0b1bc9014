// The bytes of one SKILL.md after the other.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { MAX_TEXT_BYTES, tooLarge } from '../../base/files/index.ts';
import { type FileStamp, makeStamp } from './file-stamp.ts';

/** A file as it was read. */
export interface SkillFile {
  /** Valid until the next file is read. */
  readonly bytes: Buffer;
  readonly mtimeMs: number;
  readonly stamp: FileStamp | undefined;
}

const SPACE_BYTES = 1024 * 1024;

/**
 * Makes a reader of regular files that are no links. It reads into one buffer again and again: thousands of small
 * buffers would wait for the garbage collector. E015 for what is no file or too large, else what the system throws.
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
      // What is added while it is read shows in the stamp next time.
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
