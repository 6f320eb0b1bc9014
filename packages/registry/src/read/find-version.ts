// Finds the version a caller wants to read, and decides whether the caller may.

import type { SkillAddress } from 'skillwright/registry-protocol';
import type { Caller } from '../access/caller.ts';
import { may, maySee, notFound } from '../access/may.ts';
import { Failure } from '../app/failure.ts';
import type { Registry } from '../registry.ts';

/** A skill, and one of its versions; the latest by default. */
export interface WantedVersion extends SkillAddress {
  readonly version?: string | undefined;
}

/** A version that the caller may read. */
export interface ReadableVersion extends SkillAddress {
  readonly skillId: number;
  readonly versionId: number;
  readonly version: string;
  /** Whether the caller named the version. */
  readonly isNamed: boolean;
  readonly digest: string;
}

interface VersionRow {
  skill_id: number;
  owner_id: number;
  visibility: 'private' | 'public';
  version_id: number | null;
  version: string | null;
  archive_digest: string | null;
  review: 'approved' | 'pending' | 'rejected';
  quarantined: string | null;
  purged: string | null;
}

/** Fails in the same way for skills and versions that do not exist and for those the caller may not see. */
export async function findVersion(
  { database }: Registry,
  caller: Caller,
  { owner, name, version }: WantedVersion,
): Promise<ReadableVersion> {
  const [row] = await database.query<VersionRow>(
    `select s.id as skill_id, s.owner_id, s.visibility, v.id as version_id, v.version, v.archive_digest, v.review,
       v.quarantined, v.purged
     from skills s join owners o on o.id = s.owner_id
     left join versions v on v.skill_id = s.id and v.version = coalesce($3::text, s.latest)
     where o.name = $1 and s.name = $2`,
    [owner, name, version ?? null],
  );
  if (row === undefined || !maySee(caller, { ownerId: row.owner_id, visibility: row.visibility }))
    throw notFound();
  if (row.version_id === null || row.version === null || row.archive_digest === null) throw notFound();
  const isReviewer = may(caller, 'review', { ownerId: row.owner_id });
  if (row.purged !== null) throw new Failure('purged', `this version was purged: ${row.purged}`);
  const mayPreview = row.review === 'pending' && may(caller, 'preview', { ownerId: row.owner_id });
  if (row.review !== 'approved' && !mayPreview && !isReviewer) throw notFound();
  if (row.quarantined !== null && !isReviewer)
    throw new Failure('quarantined', `this version is quarantined: ${row.quarantined}`);
  return {
    owner,
    name,
    skillId: row.skill_id,
    versionId: row.version_id,
    version: row.version,
    isNamed: version !== undefined,
    digest: row.archive_digest,
  };
}
