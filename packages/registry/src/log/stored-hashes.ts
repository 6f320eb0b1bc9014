// Hashes of complete subtrees in the database.

import type { ReadHash, SubtreeHash } from 'skillwright/transparency-log';
import { json, type Queryable } from '../store/index.ts';

interface Wanted {
  readonly level: number;
  readonly index: number;
  readonly resolve: (hash: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads hashes of an origin. Hashes asked for at once cost one query. */
export function readStoredHashes(database: Queryable, generation: number): ReadHash {
  let waiting: Wanted[] = [];
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    try {
      const rows = await database.query<{ level: number; index: number; hash: Uint8Array }>(
        `select h.level, h.index, h.hash from log_hashes h
         join jsonb_to_recordset($2::jsonb) as w(level int, index bigint) on h.level = w.level and h.index = w.index
         where h.generation = $1`,
        [generation, json(batch.map(({ level, index }) => ({ level, index })))],
      );
      const found = new Map(rows.map(({ level, index, hash }) => [`${level}/${index}`, hash]));
      for (const { level, index, resolve, reject } of batch) {
        const hash = found.get(`${level}/${index}`);
        if (hash === undefined) reject(new Error(`the log has no hash ${level}/${index}`));
        else resolve(hash);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return (level, index) =>
    new Promise((resolve, reject) => {
      waiting.push({ level, index, resolve, reject });
      if (waiting.length === 1) queueMicrotask(flush);
    });
}

/** Stores hashes of an origin: `$1` is its number, `$2` the rows that `spellHashes` makes. */
export const INSERT_HASHES = `insert into log_hashes (generation, level, index, hash)
  select $1, h.level, h.index, decode(h.hash, 'hex')
  from jsonb_to_recordset($2::jsonb) as h(level int, index bigint, hash text)`;

/** Hashes as a parameter. */
export function spellHashes(hashes: readonly SubtreeHash[]): string {
  return json(
    hashes.map(({ level, index, hash }) => ({ level, index, hash: Buffer.from(hash).toString('hex') })),
  );
}
