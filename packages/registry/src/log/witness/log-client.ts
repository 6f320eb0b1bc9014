// Reads a log over HTTP.

import { SkillwrightError } from 'skillwright/base';
import {
  decodeEntries,
  type FetchTile,
  generationOf,
  type LogKey,
  type OpenedCheckpoint,
  openCheckpoint,
  originOf,
  type ReadHash,
  readTiles,
  tilePath,
  tileWidth,
} from 'skillwright/transparency-log';

/** A log somebody else runs. */
export interface LogClient {
  readonly key: LogKey;
  checkpoint(): Promise<OpenedCheckpoint>;
  /** Reads the tree of `size` leaves of an origin. */
  hashesOf(origin: string, size: number): ReadHash;
  /** Fetches tiles and entries of an origin. */
  tilesOf(origin: string): FetchTile;
  /** The first leaf of an origin. */
  firstLeaf(checkpoint: OpenedCheckpoint): Promise<Uint8Array>;
  postCosignature(note: string): Promise<void>;
}

const TIMEOUT_MS = 30_000;
/** A bundle of 256 entries of the greatest length. */
const MAX_BYTES = 256 * 65_537;

/** A client for the log at `url`, which ends with `/log`. */
export function openLogClient(
  url: string,
  { key, fetch }: { readonly key: LogKey; readonly fetch: typeof globalThis.fetch },
): LogClient {
  const base = url.replace(/\/+$/, '');
  const request = async (address: string, init: RequestInit = {}): Promise<Uint8Array> => {
    const response = await fetch(address, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw SkillwrightError.of('E200', { url: address }, { cause });
    });
    if (!response.ok) throw unexpected(address, `status ${response.status}`);
    return readBounded(response, address);
  };
  const tilesOf =
    (origin: string): FetchTile =>
    (tile) =>
      request(`${originOf(base, generationOf(origin, key.name) ?? 1)}/tile/${tilePath(tile)}`);
  return {
    key,
    checkpoint: async () => {
      // Other logs have one origin, and no address for the newest.
      const bytes = await request(`${base}/newest`).catch((error: unknown) => {
        if (!(error instanceof SkillwrightError) || error.code !== 'E215') throw error;
        return request(`${base}/checkpoint`);
      });
      const note = Buffer.from(bytes).toString();
      return openCheckpoint(note, { key });
    },
    hashesOf: (origin, size) => readTiles(tilesOf(origin), size),
    tilesOf,
    firstLeaf: async ({ origin, size }) => {
      const place = { level: 'entries', index: 0 } as const;
      const width = tileWidth(place, size);
      if (width === 0) return new Uint8Array();
      return decodeEntries(await tilesOf(origin)({ ...place, width }), width)[0]!;
    },
    postCosignature: async (note) => {
      await request(`${base}/cosignature`, { method: 'POST', body: note });
    },
  };
}

async function readBounded(response: Response, address: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) throw unexpected(address, 'too long');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function unexpected(url: string, why: string): SkillwrightError {
  return SkillwrightError.of('E215', { url, why });
}
