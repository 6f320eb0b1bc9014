// Writes all output to a file, terminal or pipe before the process ends.

import { writeSync } from 'node:fs';
import { sleepSync, systemErrorCode } from '../../base/files/index.ts';

/** Writes all of `text`, waiting while a pipe is full. Returns false when the reader has gone, which is not an error. */
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
