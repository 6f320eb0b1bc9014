// Blobs as files, written atomically.

import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Blobs, checkKey, isKey } from './blobs.ts';
import { syncFile } from './copies.ts';

/** Files written at the same time: the disk syncs several together. */
const AT_ONCE = 16;

/** Blobs in a directory, 256 folders wide. */
export function fileBlobs(directory: string): Blobs {
  const pathOf = (key: string) => {
    const [algorithm = '', rest = ''] = checkKey(key).split(':');
    return join(directory, algorithm, rest.slice(0, 2), rest);
  };
  const write = async (path: string, bytes: Uint8Array): Promise<void> => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const fresh = `${path}.${randomUUID()}.new`;
    try {
      const file = await open(fresh, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(fresh, path);
    } catch (error) {
      // On a full disk a part of the file would take more room.
      await rm(fresh, { force: true });
      throw error;
    }
  };
  const putAll = async (blobs: ReadonlyMap<string, Uint8Array>): Promise<void> => {
    const entries = Array.from(blobs, ([key, bytes]) => ({ path: pathOf(key), bytes }));
    for (let at = 0; at < entries.length; at += AT_ONCE)
      await Promise.all(entries.slice(at, at + AT_ONCE).map(({ path, bytes }) => write(path, bytes)));
    for (const folder of new Set(entries.map(({ path }) => dirname(path)))) await syncFile(folder);
  };
  return {
    put: (key, bytes) => putAll(new Map([[key, bytes]])),
    putAll,
    async get(key) {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async *keys() {
      // The rest is a file that was being written when its process was killed.
      for (const algorithm of await listNames(directory))
        for (const folder of await listNames(join(directory, algorithm)))
          for (const name of await listNames(join(directory, algorithm, folder)))
            if (isKey(`${algorithm}:${name}`)) yield `${algorithm}:${name}`;
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
  };
}

async function listNames(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
