// Archives by digest. A caller needs the right to a version that refers to the bytes. A lock per digest keeps a publication and a
// purge of the same bytes apart.

import { type Caller, type Guarded, isOpen, notFound } from '../access/index.ts';
import { digestOf, Failure } from '../base/index.ts';
import {
  installableOf,
  isPublished,
  maySeeVersion,
  refuseFiles,
  type VersionRow,
  versionColumns,
} from '../catalog/index.ts';
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

type Reference = VersionRow & Guarded;

const ADDRESS_SECONDS = 60;

/** The archive; 404 when no version the caller may see refers to it, 403 quarantined, 410 purged. */
export async function findArchive(registry: Registry, caller: Caller, digest: string) {
  const references = (
    await registry.database.query<Reference>(
      `select ${versionColumns}, s.owner_id as "ownerId", s.visibility, s.is_withheld as "isWithheld", s.name
       from versions v join skills s on s.id = v.skill_id
       where v.archive_digest = $1 order by v.id`,
      [digest],
    )
  ).filter((row) => maySeeVersion(caller, row));
  const now = registry.now();
  const live = references.filter((row) => refuseFiles(row, { now }) === undefined);
  const chosen = live.find((row) => installableOf(row, now).answer !== 'no') ?? live[0];
  if (chosen === undefined) throw whyWithheld(references, now);
  return {
    versionId: chosen.id,
    /** Whether everybody may have it, so that caches may keep it. */
    isPublic: live.some((row) => isOpen(row) && installableOf(row, now).answer !== 'no'),
    /** False for a version under review: looking at it is not a download. */
    counts: isPublished(chosen),
    async read() {
      const bytes = await registry.blobs.get(digest);
      // A store may have lost or exchanged it.
      if (bytes === undefined || digestOf(bytes) !== digest)
        throw new Failure('unavailable', 'the archive cannot be read at the moment');
      return bytes;
    },
    /** A short-lived address of the bytes, if the settings want one. */
    address: async () =>
      registry.settings.blobsRedirect ? registry.blobs.addressOf?.(digest, ADDRESS_SECONDS) : undefined,
  };
}

/** Quarantined bytes may come back, purged ones never do. */
function whyWithheld(references: readonly Reference[], now: Date): Failure {
  const refusals = references.flatMap((row) => refuseFiles(row, { now }) ?? []);
  return refusals.find(({ code }) => code === 'quarantined') ?? refusals[0] ?? notFound();
}
