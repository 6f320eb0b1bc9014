// Archives in the blobs. A lock per digest keeps a publication and a purge of the same bytes apart.

import { forgetReading, removeUnpacked } from '../reading/index.ts';
import type { Registry } from '../registry.ts';
import type { Blobs, Queryable } from '../store/index.ts';

/** Locks the bytes with these digests until the transaction ends. */
export async function lockArchives(tx: Queryable, digests: readonly string[]): Promise<void> {
  // Always in one order, so that two transactions never wait for each other.
  const sorted = [...new Set(digests)].sort();
  await tx.query(
    'select pg_advisory_xact_lock(hashtextextended(d.digest, 0)) from unnest($1::text[]) as d (digest)',
    [sorted],
  );
}

/** The blobs; rows are read and written in the transaction itself. */
export function blobsWithin(registry: Registry, tx: Queryable): Blobs {
  return registry.blobs.within?.(tx) ?? registry.blobs;
}

/** Removes bytes unless a version that is not purged uses them. Running it again does no harm. */
export async function removeUnusedArchive(registry: Registry, digest: string): Promise<void> {
  const isGone = await registry.database.transaction(async (tx) => {
    await lockArchives(tx, [digest]);
    const [live] = await tx.query(
      'select from versions where archive_digest = $1 and purged is null limit 1',
      [digest],
    );
    if (live !== undefined) return false;
    const blobs = blobsWithin(registry, tx);
    await blobs.remove(digest);
    await forgetReading(tx, { blobs, digest });
    return true;
  });
  if (isGone) removeUnpacked(registry, digest);
}

/** Removes bytes that a purge left behind because the process ended in between. */
export async function finishPurges(registry: Registry): Promise<void> {
  const rows = await registry.database.query<{ digest: string }>(
    'select distinct archive_digest as digest from versions where purged is not null',
  );
  for (const { digest } of rows) await removeUnusedArchive(registry, digest);
}
