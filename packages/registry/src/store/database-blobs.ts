// Blobs as rows, for several processes on one PostgreSQL.

import { type Blobs, checkKey } from './blobs.ts';
import type { Queryable } from './database.ts';

/** Blobs in the table `blobs`. */
export function databaseBlobs(database: Queryable): Blobs {
  return {
    async put(key, bytes) {
      await database.query(
        'insert into blobs (digest, bytes) values ($1, $2) on conflict (digest) do nothing',
        [checkKey(key), bytes],
      );
    },
    async get(key) {
      const [row] = await database.query<{ bytes: Uint8Array }>('select bytes from blobs where digest = $1', [
        checkKey(key),
      ]);
      return row?.bytes;
    },
    async *keys() {
      for (let last = ''; ; ) {
        const rows = await database.query<{ digest: string }>(
          'select digest from blobs where digest > $1 order by digest limit 1000',
          [last],
        );
        for (const { digest } of rows) yield digest;
        if (rows.length === 0) return;
        last = rows.at(-1)!.digest;
      }
    },
    async remove(key) {
      await database.query('delete from blobs where digest = $1', [checkKey(key)]);
    },
  };
}
