// A few bytes of a large file.

import { closeSync, openSync, readSync } from 'node:fs';

/** The bytes at a position of a file: `length` of them, or as many as there are. */
export function readAt(file: string, position: number, length: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position));
  } finally {
    closeSync(descriptor);
  }
}
