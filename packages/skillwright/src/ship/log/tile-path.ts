// Names of tiles, C2SP tlog-tiles: `0/x001/234` is tile 1234 of level 0, `0/x001/234.p/5` its first 5 hashes. Bundles of
// entries are named the same way, with `entries` for the level.

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
