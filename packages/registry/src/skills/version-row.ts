// A version as the database keeps it, without its document and texts.

import { compareBuild } from 'semver';
import type { IndexVersion } from 'skillwright/registry-protocol';
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
}

/** Columns of a `VersionRow`; the table's alias is `v`. */
export const versionColumns = `v.id, v.skill_id, v.version, v.archive_digest, v.archive_size, v.document_digest, v.review,
  v.review_reason, v.scan->>'verdict' as verdict, v.override is not null as overridden, v.yanked, v.quarantined, v.purged,
  v.eligible_at, v.published_at, v.published_by, v.flagged`;

/** Versions that wait for a reviewer, or were rejected, are shown to those who may preview them. */
export function isPublished({ review }: Pick<VersionRow, 'review'>): boolean {
  return review === 'approved';
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
export function newestFirst(a: { readonly version: string }, b: { readonly version: string }): number {
  return compareBuild(b.version, a.version);
}
