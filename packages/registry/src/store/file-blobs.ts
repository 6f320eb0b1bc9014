// Blobs as files, written atomically.

import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Blobs, checkKey } from './blobs.ts';

/** Blobs in a directory, 256 folders wide. */
export function fileBlobs(directory: string): Blobs {
  const pathOf = (key: string) => {
    const [algorithm = '', rest = ''] = checkKey(key).split(':');
    return join(directory, algorithm, rest.slice(0, 2), rest);
  };
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true });
      const fresh = `${path}.${randomUUID()}.new`;
      const file = await open(fresh, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(fresh, path);
    },
    async get(key) {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
  };
}
