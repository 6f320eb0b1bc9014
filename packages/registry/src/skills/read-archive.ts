// Archives by digest. A caller needs the right to a version that refers to the bytes.

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
import type { Registry } from '../registry.ts';

type Reference = VersionRow & Guarded;

const ADDRESS_SECONDS = 60;

/** An archive the caller may have. */
interface ReadableArchive {
  readonly versionId: number;
  readonly size: number;
  /** Whether everybody may have it, so that caches may keep it. */
  readonly isPublic: boolean;
  /** False for a version under review: looking at it is not a download. */
  readonly counts: boolean;
  read(): Promise<Uint8Array>;
  /** A short-lived address of the bytes, if the settings want one. */
  address(): Promise<string | undefined>;
}

/** The archive; 404 when no version the caller may see refers to it, 403 quarantined, 410 purged. */
export async function findArchive(
  registry: Registry,
  caller: Caller,
  digest: string,
): Promise<ReadableArchive> {
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
    size: chosen.archive_size,
    isPublic: live.some((row) => isOpen(row) && installableOf(row, now).answer !== 'no'),
    counts: isPublished(chosen),
    async read() {
      const bytes = await registry.blobs.get(digest);
      // A store may have lost or exchanged it.
      if (bytes === undefined || digestOf(bytes) !== digest)
        throw new Failure('unavailable', 'the archive cannot be read at the moment');
      return bytes;
    },
    address: async () =>
      registry.settings.blobsRedirect ? registry.blobs.addressOf?.(digest, ADDRESS_SECONDS) : undefined,
  };
}

/** Quarantined bytes may come back, purged ones never do. */
function whyWithheld(references: readonly Reference[], now: Date): Failure {
  const refusals = references.flatMap((row) => refuseFiles(row, { now }) ?? []);
  return refusals.find(({ code }) => code === 'quarantined') ?? refusals[0] ?? notFound();
}
