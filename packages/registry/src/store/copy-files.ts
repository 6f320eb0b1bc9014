// Copying a directory so that the copy survives a power cut: whole and under its name, or not there.

import { constants } from 'node:fs';
import { cp, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Copies a directory; the name appears when everything is on the disk. */
export async function copyDirectory(from: string, to: string): Promise<void> {
  const fresh = `${to}.new`;
  await rm(fresh, { recursive: true, force: true });
  await cp(from, fresh, { recursive: true, mode: constants.COPYFILE_FICLONE });
  await settleDirectory(fresh, to);
}

/** Writes a finished directory through to the disk and gives it its name. */
export async function settleDirectory(fresh: string, name: string): Promise<void> {
  await syncTree(fresh);
  await rename(fresh, name);
  await syncFile(dirname(name));
}

async function syncTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true }))
    await (entry.isDirectory() ? syncTree : syncFile)(join(directory, entry.name));
  await syncFile(directory);
}

/** Asks the disk to keep a file, or the names in a directory. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
