// A version as the database keeps it, without its document and texts.

import { compareBuild } from 'semver';
import type { IndexVersion } from 'skillwright/registry-protocol';
import { type Authority, type Caller, type Guarded, may, maySee } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Queryable } from '../store/index.ts';
import { installableOf, type VersionStates } from './installable.ts';

/** One version. */
export interface VersionRow extends VersionStates {
  readonly id: number;
  readonly skill_id: number;
  readonly version: string;
  readonly archive_digest: string;
  readonly archive_size: number;
  readonly document_digest: string;
  readonly published_at: Date;
  readonly published_by: number;
  readonly flagged: string | null;
  readonly authority: Authority;
}

/** Columns of a `VersionRow`; the table's alias is `v`. */
export const versionColumns = `v.id, v.skill_id, v.version, v.archive_digest, v.archive_size, v.document_digest, v.review,
  v.review_reason, v.scan->>'verdict' as verdict, v.override is not null as overridden, v.yanked, v.quarantined, v.purged,
  v.eligible_at, v.published_at, v.published_by, v.flagged, v.authority`;

/** Versions that wait for a reviewer, or were rejected, are shown to those who may preview them. */
export function isPublished({ review }: Pick<VersionRow, 'review'>): boolean {
  return review === 'approved';
}

/** `isPublished` in SQL. */
export const PUBLISHED = `v.review = 'approved'`;

/** Whether the caller may know of a version. */
export function maySeeVersion(caller: Caller, row: Guarded & Pick<VersionRow, 'review'>): boolean {
  return maySee(caller, row) && (isPublished(row) || may(caller, 'preview', row));
}

/** Why nobody gets the files of a version; undefined when its states allow it. Reviewers look at quarantined ones. */
export function refuseFiles(
  row: VersionRow,
  { now, isReviewer = false }: { readonly now: Date; readonly isReviewer?: boolean },
): Failure | undefined {
  const { reasons } = installableOf(row, now);
  const purged = reasons.find(({ code }) => code === 'purged');
  if (purged !== undefined) return new Failure('purged', `this version was purged: ${purged.message}`);
  const held = reasons.find(({ code }) => code === 'quarantined');
  if (held === undefined || isReviewer) return undefined;
  return new Failure('quarantined', `this version is quarantined: ${held.message}`);
}

/** A version as the index of its skill shows it. */
export function indexVersionOf(row: VersionRow, now: Date): IndexVersion {
  return {
    version: row.version,
    archive: row.archive_digest,
    document: row.document_digest,
    published: row.published_at.toISOString(),
    yanked: row.yanked,
    quarantined: row.quarantined,
    purged: row.purged,
    installable: installableOf(row, now),
  };
}

/** Orders versions, newest first. */
function newestFirst(a: { readonly version: string }, b: { readonly version: string }): number {
  return compareBuild(b.version, a.version);
}

/** All versions of these skills, newest first within each. */
export async function loadVersions(
  database: Queryable,
  skillIds: readonly number[],
): Promise<Map<number, VersionRow[]>> {
  const rows = await database.query<VersionRow>(
    `select ${versionColumns} from versions v where v.skill_id = any($1::bigint[])`,
    [skillIds],
  );
  const bySkill = new Map<number, VersionRow[]>(skillIds.map((id) => [id, []]));
  for (const row of rows) bySkill.get(row.skill_id)!.push(row);
  for (const versions of bySkill.values()) versions.sort(newestFirst);
  return bySkill;
}
