// Hashes of complete subtrees in the database, and the tiles made of them.

import {
  encodeEntries,
  type ReadHash,
  type SubtreeHash,
  TILE_HEIGHT,
  TILE_WIDTH,
  type Tile,
  tileWidth,
} from 'skillwright/transparency-log';
import type { Registry } from '../registry.ts';
import { json, type Queryable } from '../store/index.ts';
import { findOrigin } from './log-origin.ts';

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

/** The bytes of a tile or of a bundle of entries; undefined when the origin does not have it. */
export async function readTile(
  { database }: Registry,
  generation: number,
  tile: Tile,
): Promise<Uint8Array | undefined> {
  const origin = await findOrigin(database, generation);
  if (origin === undefined || tileWidth(tile, origin.size) < tile.width) return undefined;
  const start = tile.index * TILE_WIDTH;
  const [sql, level] =
    tile.level === 'entries'
      ? ['select leaf as bytes from log_leaves where generation = $1 and $2 = 0', 0]
      : [
          'select hash as bytes from log_hashes where generation = $1 and level = $2',
          tile.level * TILE_HEIGHT,
        ];
  const rows = await database.query<{ bytes: Uint8Array }>(
    `${sql} and index >= $3 and index < $4 order by index`,
    [generation, level, start, start + tile.width],
  );
  const parts = rows.map(({ bytes }) => bytes);
  return tile.level === 'entries' ? encodeEntries(parts) : Buffer.concat(parts);
}
