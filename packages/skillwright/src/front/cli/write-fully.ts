// Output that is complete before the process ends, into a file, a terminal or a pipe.

import { writeSync } from 'node:fs';
import { sleepSync, systemErrorCode } from '../../base/files/index.ts';

/** Writes all of `text`, waiting while a pipe is full. False when the reader has gone away, which is no error. */
export function writeFully(descriptor: number, text: string): boolean {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === 'EPIPE') return false;
      if (code !== 'EAGAIN') throw error;
      sleepSync(1);
    }
  }
  return true;
}
