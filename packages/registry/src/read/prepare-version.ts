// Makes a version readable, once, at its publication: the index of its sections, and its entry for MCP clients.

import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { openReadingDesk } from 'skillwright/mcp';
import { openSkill } from 'skillwright/skill';
import type { Blobs } from '../store/blobs.ts';
import { json, type Queryable } from '../store/database.ts';

/** Everything a version needs to be read later. */
export interface Reading {
  /** Bytes of the index of its sections. */
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

/** Reads a skill once from end to end; a large one takes a second of processor time. `room` is an empty directory. */
export async function prepareReading(
  directory: string,
  { room, now }: { readonly room: string; now(): Date },
): Promise<Reading> {
  const home = join(room, 'home');
  mkdirSync(home);
  const desk = openReadingDesk({ home: realpathSync.native(home), now });
  try {
    const dir = realpathSync.native(directory);
    const { name } = openSkill(dir);
    const index = readFileSync(desk.prepare({ room, dir, name }));
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
  } finally {
    desk.close();
  }
}

/** Where a version is stored: with its archive, in one transaction and under the lock of its digest. */
export interface ReadingPlace {
  readonly blobs: Blobs;
  readonly digest: string;
}

/** Stores what reading needs; repeating it changes nothing. */
export async function storeReading(
  tx: Queryable,
  { blobs, digest }: ReadingPlace,
  { index, entry }: Reading,
): Promise<void> {
  await blobs.put(indexKey(digest), index);
  if (entry === null) return;
  await tx.query(
    `insert into served_entries (archive_digest, entry) values ($1, $2::jsonb) on conflict (archive_digest) do nothing`,
    [digest, json(entry)],
  );
}

/** Removes what reading a purged version needed. */
export async function forgetReading(tx: Queryable, { blobs, digest }: ReadingPlace): Promise<void> {
  await blobs.remove(indexKey(digest));
  await tx.query('delete from served_entries where archive_digest = $1', [digest]);
}
