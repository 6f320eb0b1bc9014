// Archives by digest. A caller needs the right to a version that refers to the bytes.

import type { Caller } from '../access/caller.ts';
import { type Guarded, may, maySee, notFound } from '../access/may.ts';
import { Failure } from '../app/failure.ts';
import type { Registry } from '../registry.ts';
import { installableOf } from './installable.ts';
import { isPublished, type VersionRow, versionColumns } from './version-row.ts';

type Reference = VersionRow & Guarded;

/** An archive the caller may have. */
export interface ReadableArchive {
  readonly versionId: number;
  readonly size: number;
  /** Whether everybody may have it, so that caches may keep it. */
  readonly isPublic: boolean;
  /** False for a version under review: looking at it is not a download. */
  readonly counts: boolean;
  read(): Promise<Uint8Array>;
}

/** The archive; 404 when no version the caller may see refers to it, 403 quarantined, 410 purged. */
export async function findArchive(
  registry: Registry,
  caller: Caller,
  digest: string,
): Promise<ReadableArchive> {
  const references = (
    await registry.database.query<Reference>(
      `select ${versionColumns}, s.owner_id as "ownerId", s.visibility, s.name from versions v join skills s on s.id = v.skill_id
       where v.archive_digest = $1 order by v.id`,
      [digest],
    )
  ).filter((row) => maySee(caller, row) && (isPublished(row) || may(caller, 'preview', row)));
  const now = registry.now();
  const live = references.filter((row) => row.purged === null && row.quarantined === null);
  const chosen = live.find((row) => installableOf(row, now).answer !== 'no') ?? live[0];
  if (chosen === undefined) throw refusalOf(references);
  return {
    versionId: chosen.id,
    size: chosen.archive_size,
    isPublic: live.some((row) => row.visibility === 'public' && installableOf(row, now).answer !== 'no'),
    counts: isPublished(chosen),
    async read() {
      const bytes = await registry.blobs.get(digest);
      if (bytes === undefined) throw new Failure('unavailable', 'the archive cannot be read at the moment');
      return bytes;
    },
  };
}

function refusalOf(references: readonly Reference[]): Failure {
  const held = references.find(({ quarantined, purged }) => quarantined !== null && purged === null);
  if (held !== undefined) return new Failure('quarantined', `quarantined: ${held.quarantined}`);
  const [gone] = references;
  return gone === undefined ? notFound() : new Failure('purged', `purged: ${gone.purged}`);
}
