// Makes a version readable, once, at its publication: the index of its sections, and its entry for MCP clients.

import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSkill } from 'skillwright/skill';
import type { Registry } from '../registry.ts';
import { json } from '../store/database.ts';
import { versionDesk } from './version-desk.ts';

/** A version and the directory its archive was unpacked into. */
export interface UnpackedVersion {
  readonly digest: string;
  readonly directory: string;
}

/** An entry of the skills extension, without the address of its skill. */
export interface StoredEntry {
  readonly frontmatter: Record<string, unknown>;
  readonly files: readonly { readonly path: string; readonly digest: string; readonly size: number }[];
}

/** Key of the blob with the index of a version. */
export const indexKey = (digest: string) => `${digest}.index`;

const ROOT = 'skill://';

/** Call it before the transaction of the publication; repeating it changes nothing. */
export async function prepareVersion(
  registry: Registry,
  { digest, directory }: UnpackedVersion,
): Promise<void> {
  const { desk, cache } = versionDesk(registry);
  const room = mkdtempSync(join(cache, 'new-'));
  try {
    const dir = realpathSync.native(directory);
    const { name } = openSkill(dir);
    const path = desk.prepare({ room, dir, name });
    await registry.blobs.put(indexKey(digest), readFileSync(path));
    const root = `${ROOT}${name}`;
    const entry = await desk.describe({ room, dir, name, word: dir, root });
    if (entry === undefined) return;
    const stored: StoredEntry = {
      frontmatter: entry.frontmatter,
      files: (entry.resources as { uri: string; digest: string; size: number }[]).map(
        ({ uri, digest: hash, size }) => ({ path: uri.slice(root.length + 1), digest: hash, size }),
      ),
    };
    await registry.database.query(
      `insert into served_entries (archive_digest, entry) values ($1, $2::jsonb) on conflict (archive_digest) do nothing`,
      [digest, json(stored)],
    );
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
}

/** Forgets a purged version; its archive is the caller's. */
export async function forgetVersion(registry: Registry, digest: string): Promise<void> {
  await registry.blobs.remove(indexKey(digest));
  await registry.database.query('delete from served_entries where archive_digest = $1', [digest]);
}
