// Waiting until files are on the disk, many at once: a file system writes what waits together in one go.

import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';

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
