// Bytes by digest: archives, and the indexes made of them. Small enough for an object store. As rows, they are for several
// processes on one PostgreSQL.

import type { Queryable } from './database.ts';

/** Keeps bytes under the SHA-256 of their content, or under a name derived from one. */
export interface Blobs {
  /** Writing the same bytes again changes nothing. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Like `put`, for several blobs; one round trip where the store supports it. */
  putAll(blobs: ReadonlyMap<string, Uint8Array>): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  remove(key: string): Promise<void>;
  /** Every key, in no particular order. */
  keys(): AsyncIterable<string>;
  /** The same blobs inside a transaction, where they are rows of the same database. */
  within?(tx: Queryable): Blobs;
  /** An address from which anybody can fetch a blob for some seconds, where the store has such. */
  addressOf?(key: string, seconds: number): Promise<string>;
}

/** Keys are `sha256:<hex>`, or that with a suffix such as `.index`. */
export function isKey(key: string): boolean {
  return /^sha256:[0-9a-f]{64}(?:\.[a-z0-9-]{1,20})?$/.test(key);
}

export function checkKey(key: string): string {
  if (!isKey(key)) throw new Error(`not a key of a blob: ${key}`);
  return key;
}

/** Rows of one statement. Only powers of two are used: the server keeps the plan of each statement. */
const MAX_ROWS = 32;
const MAX_BYTES = 4 * 1024 * 1024;

/** Blobs in the table `blobs`. */
export function databaseBlobs(database: Queryable): Blobs {
  const putAll = async (blobs: ReadonlyMap<string, Uint8Array>): Promise<void> => {
    for (const rows of inStatements([...blobs]))
      await database.query(
        `insert into blobs (digest, bytes) values ${rows.map((_, at) => `($${2 * at + 1}, $${2 * at + 2})`).join(', ')}
         on conflict (digest) do nothing`,
        rows.flatMap(([key, bytes]) => [checkKey(key), bytes]),
      );
  };
  return {
    put: (key, bytes) => putAll(new Map([[key, bytes]])),
    putAll,
    within: databaseBlobs,
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

function* inStatements(
  blobs: readonly (readonly [string, Uint8Array])[],
): Generator<readonly (readonly [string, Uint8Array])[]> {
  for (let at = 0; at < blobs.length; ) {
    let rows = MAX_ROWS;
    while (rows > 1 && (at + rows > blobs.length || sizeOf(blobs.slice(at, at + rows)) > MAX_BYTES))
      rows /= 2;
    yield blobs.slice(at, at + rows);
    at += rows;
  }
}

const sizeOf = (blobs: readonly (readonly [string, Uint8Array])[]): number =>
  blobs.reduce((sum, [, bytes]) => sum + bytes.byteLength, 0);
