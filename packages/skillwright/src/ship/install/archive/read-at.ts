// Reads a few bytes of a large file.

import { closeSync, openSync, readSync } from 'node:fs';

/** Up to `length` bytes at a position of a file; fewer at its end. */
export function readAt(file: string, position: number, length: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position));
  } finally {
    closeSync(descriptor);
  }
}
