// Tiles of the log: their paths, their entries, and reading them.

import { malformed } from './log-text.ts';
import type { ReadHash } from './subtree.ts';
import { HASH_BYTES, hashNode } from './subtree.ts';

/** Hashes in a full tile. */
export const TILE_WIDTH = 256;

/** Levels of the tree that one level of tiles covers. */
export const TILE_HEIGHT = 8;

/** One tile, or one bundle of entries. */
export interface Tile {
  readonly level: number | 'entries';
  readonly index: number;
  /** Hashes or entries in it: 256 when full. */
  readonly width: number;
}

/** The path of a tile below `tile/`. */
export function tilePath({ level, index, width }: Tile): string {
  const parts: string[] = [];
  let rest = index;
  do {
    const digits = String(rest % 1000).padStart(3, '0');
    parts.unshift(parts.length === 0 ? digits : `x${digits}`);
    rest = Math.floor(rest / 1000);
  } while (rest > 0);
  return `${level}/${parts.join('/')}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

const PATH = /^(entries|0|[1-9]\d?)\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** The tile with this path below `tile/`; undefined when the text is not the one path of a tile. */
export function parseTilePath(text: string): Tile | undefined {
  const [, level, digits, partial] = PATH.exec(text) ?? [];
  if (level === undefined || digits === undefined) return undefined;
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(digits.replaceAll(/[x/]/g, '')),
    width: partial === undefined ? TILE_WIDTH : Number(partial),
  };
  const isTile = Number.isSafeInteger(tile.index) && (partial === undefined || tile.width < TILE_WIDTH);
  return isTile && (tile.level === 'entries' || tile.level < 64) && tilePath(tile) === text
    ? tile
    : undefined;
}

/** The width of a tile in a tree of `size` leaves; 0 when the tree does not have it. */
export function tileWidth({ level, index }: Omit<Tile, 'width'>, size: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** (level === 'entries' ? 0 : level));
  return Math.max(0, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH));
}

/** Longest entry that fits a bundle. */
export const MAX_ENTRY_BYTES = 65_535;

/** The bytes of a bundle. */
export function encodeEntries(entries: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(
    entries.flatMap((entry) => {
      if (entry.length > MAX_ENTRY_BYTES) throw malformed(`an entry has ${entry.length} bytes`);
      return [Uint8Array.of(entry.length >> 8, entry.length & 255), entry];
    }),
  );
}

/** The entries of a bundle that has `width` of them. */
export function decodeEntries(bytes: Uint8Array, width: number): Uint8Array[] {
  const entries: Uint8Array[] = [];
  let at = 0;
  while (at + 2 <= bytes.length && entries.length < width) {
    const end = at + 2 + bytes[at]! * 256 + bytes[at + 1]!;
    if (end > bytes.length) throw malformed('a bundle of entries ends within an entry');
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  if (entries.length !== width || at !== bytes.length) {
    throw malformed(`a bundle does not have exactly ${width} entries`);
  }
  return entries;
}

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
