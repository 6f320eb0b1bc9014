// Reads a tree through its tiles. Nothing here is believed: a proof made from tiles is checked against a signed root.

import { HASH_BYTES, hashNode } from './hash-node.ts';
import { malformed } from './malformed.ts';
import type { ReadHash } from './subtree.ts';
import { TILE_HEIGHT, TILE_WIDTH, type Tile, tilePath, tileWidth } from './tile-path.ts';

/** Fetches the bytes of a tile. */
export type FetchTile = (tile: Tile) => Promise<Uint8Array>;

/** Reads hashes of a tree of `size` leaves from its tiles, and fetches each tile once. */
export function readTiles(fetchTile: FetchTile, size: number): ReadHash {
  const fetched = new Map<string, Promise<Uint8Array>>();
  const load = (tile: Tile): Promise<Uint8Array> => {
    const path = tilePath(tile);
    const known = fetched.get(path);
    if (known !== undefined) return known;
    const bytes = fetchTile(tile).then((found) => {
      if (found.length === tile.width * HASH_BYTES) return found;
      throw malformed(`tile ${path} has ${found.length} bytes, not ${tile.width * HASH_BYTES}`);
    });
    fetched.set(path, bytes);
    return bytes;
  };
  return async (level, index) => {
    const height = level % TILE_HEIGHT;
    const leaves = 2 ** height;
    const place = { level: (level - height) / TILE_HEIGHT, index: Math.floor((index * leaves) / TILE_WIDTH) };
    const start = index * leaves - place.index * TILE_WIDTH;
    const width = tileWidth(place, size);
    if (start + leaves > width) throw malformed(`the tree of ${size} leaves has no hash ${level}/${index}`);
    const bytes = await load({ ...place, width });
    let hashes = Array.from({ length: leaves }, (_, at) =>
      bytes.subarray((start + at) * HASH_BYTES, (start + at + 1) * HASH_BYTES),
    );
    while (hashes.length > 1) {
      hashes = Array.from({ length: hashes.length / 2 }, (_, at) =>
        hashNode(hashes[at * 2]!, hashes[at * 2 + 1]!),
      );
    }
    return hashes[0]!;
  };
}
