// Tiles of the log, from the database.

import { encodeEntries, TILE_HEIGHT, TILE_WIDTH, type Tile, tileWidth } from 'skillwright/transparency-log';
import type { Registry } from '../registry.ts';
import { findOrigin } from './log-origin.ts';

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
