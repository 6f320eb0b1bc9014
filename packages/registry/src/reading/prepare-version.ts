// Makes a version readable, once, at its publication: the index of its sections, and its entry for MCP clients.

import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { openReadingDesk, type ReadingDesk } from 'skillwright/mcp';
import { type Blobs, json, type Queryable } from '../store/index.ts';

/** Everything a version needs to be read later. */
export interface Reading {
  /** The index of its sections, packed. */
  readonly index: Uint8Array;
  /** Null when the skill breaks the standard of the extension. */
  readonly entry: StoredEntry | null;
}

/** An entry of the skills extension, without the address of its skill. */
export interface StoredEntry {
  readonly frontmatter: Record<string, unknown>;
  readonly files: readonly { readonly path: string; readonly digest: string; readonly size: number }[];
}

/** Key of the blob with the index of a version. */
export const indexKey = (digest: string) => `${digest}.index`;

const ROOT = 'skill://';
/** More than the index of the largest archive a registry takes. */
const MAX_INDEX_BYTES = 2 ** 30;

/** The desk of the room that was used last: threads of an import use one room for all their skills. */
let kept: { readonly room: string; readonly desk: ReadingDesk } | undefined;

function deskIn(room: string): ReadingDesk {
  if (kept?.room === room) return kept.desk;
  kept?.desk.close();
  const home = join(room, 'home');
  mkdirSync(home);
  kept = { room, desk: openReadingDesk({ home: realpathSync.native(home), now: () => new Date() }) };
  return kept.desk;
}

/**
 * Reads a skill once from end to end; a large one takes a second of processor time. `name` is the skill's, `room` a
 * directory for this alone.
 */
export async function prepareReading(
  directory: string,
  { room, name }: { readonly room: string; readonly name: string },
): Promise<Reading> {
  const desk = deskIn(room);
  const dir = realpathSync.native(directory);
  const index = packIndex(desk.index({ room, dir, name }));
  const root = `${ROOT}${name}`;
  const entry = await desk.describe({ room, dir, name, word: dir, root });
  if (entry === undefined) return { index, entry: null };
  const resources = entry.resources as { uri: string; digest: string; size: number }[];
  const files = resources.map(({ uri, digest, size }) => ({
    path: uri.slice(root.length + 1),
    digest,
    size,
  }));
  return { index, entry: { frontmatter: entry.frontmatter, files } };
}

/** Where a version is stored: with its archive, in one transaction and under the lock of its digest. */
interface ReadingPlace {
  readonly blobs: Blobs;
  readonly digest: string;
}

/** Stores what reading needs, by the digests of archives; repeating it changes nothing. */
export async function storeReadings(
  tx: Queryable,
  blobs: Blobs,
  readings: ReadonlyMap<string, Reading>,
): Promise<void> {
  await blobs.putAll(new Map(Array.from(readings, ([digest, { index }]) => [indexKey(digest), index])));
  const entries = Array.from(readings, ([digest, { entry }]) => ({ digest, entry })).filter(
    ({ entry }) => entry !== null,
  );
  if (entries.length === 0) return;
  await tx.query(
    `insert into served_entries (archive_digest, entry)
     select n.digest, n.entry from jsonb_to_recordset($1::jsonb) as n(digest text, entry jsonb)
     on conflict (archive_digest) do nothing`,
    [json(entries)],
  );
}

/** Bytes of an index as they are kept: a small one is mostly empty pages. */
function packIndex(index: Uint8Array): Uint8Array {
  return zstdCompressSync(index);
}

/** The index in a blob; undefined when it is damaged. */
export function unpackIndex(blob: Uint8Array | undefined): Uint8Array | undefined {
  if (blob === undefined) return undefined;
  try {
    return zstdDecompressSync(blob, { maxOutputLength: MAX_INDEX_BYTES });
  } catch {
    return undefined;
  }
}

/** Removes what reading a purged version needed. */
export async function forgetReading(tx: Queryable, { blobs, digest }: ReadingPlace): Promise<void> {
  await blobs.remove(indexKey(digest));
  await tx.query('delete from served_entries where archive_digest = $1', [digest]);
}
