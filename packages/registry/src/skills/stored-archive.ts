// Archives in the blobs. A lock per digest keeps a publication and a purge of the same bytes apart.

import { forgetVersion } from '../read/prepare-version.ts';
import type { Registry } from '../registry.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Queryable } from '../store/database.ts';
import { databaseBlobs } from '../store/database-blobs.ts';

/** Locks the bytes with this digest until the transaction ends. */
export async function lockArchive(tx: Queryable, digest: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [digest]);
}

/** The blobs; rows are read and written in the transaction itself. */
export function blobsWithin(registry: Registry, tx: Queryable): Blobs {
  return registry.database.kind === 'postgres' ? databaseBlobs(tx) : registry.blobs;
}

/** Removes purged bytes that no other version uses. Running it again does no harm. */
export async function removePurgedArchive(registry: Registry, digest: string): Promise<void> {
  const isGone = await registry.database.transaction(async (tx) => {
    await lockArchive(tx, digest);
    const [live] = await tx.query(
      'select from versions where archive_digest = $1 and purged is null limit 1',
      [digest],
    );
    if (live !== undefined) return false;
    await blobsWithin(registry, tx).remove(digest);
    return true;
  });
  if (isGone) await forgetVersion(registry, digest);
}
