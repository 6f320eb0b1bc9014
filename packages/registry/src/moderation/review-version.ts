// Reviews: a version waits until somebody other than its publisher approves or rejects it.

import {
  type IndexVersion,
  type PendingVersion,
  type ReviewRequest,
  spellAddress,
} from 'skillwright/registry-protocol';
import { type Caller, decidedBy, demand, demandUndo, isModerator, reviewedBy } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { installableOf, type VersionRow, versionColumns } from '../catalog/index.ts';
import type { Registry } from '../registry.ts';
import { type AppliedChange, changeVersion, type VersionAddress } from '../skills/index.ts';
import { json, type Queryable } from '../store/index.ts';

/** Approves or rejects a version. Approving a dangerous one overrides the scan, and records who did so and why. */
export function reviewVersion(
  registry: Registry,
  caller: Caller,
  { decision, reason, ...address }: VersionAddress & ReviewRequest,
): Promise<IndexVersion> {
  return changeVersion(registry, caller, {
    address,
    demand: (skill) => demand(caller, 'review', skill),
    async apply(tx, { skill: { ownerId }, row }) {
      const refusal = await whyNotReviewer(tx, caller, { id: row.id, ownerId });
      if (refusal !== undefined) throw new Failure('forbidden', refusal);
      if (row.review === 'approved' && row.flagged === null)
        throw new Failure('conflict', 'this version does not wait for a review; quarantine it instead');
      if (row.review === 'rejected' && decision === 'reject')
        throw new Failure('conflict', 'this version is rejected already');
      const right = { action: 'review', ownerId } as const;
      if (row.review === 'rejected') demandUndo(caller, { ...right, decided: row.authority.review });
      return decision === 'approve'
        ? approve(tx, registry, { caller, row, reason })
        : reject(tx, registry, { caller, row, reason, decided: decidedBy(caller, right) });
    },
  });
}

interface Decision {
  readonly caller: Caller;
  readonly row: VersionRow;
  readonly reason: string;
}

async function approve(
  tx: Queryable,
  { settings, now }: Registry,
  { caller, row, reason }: Decision,
): Promise<AppliedChange> {
  const at = now();
  const worst = await worstVerdict(tx, row);
  if (worst === 'danger' && !isModerator(caller))
    throw new Failure(
      'forbidden',
      'the scan calls this version dangerous; a moderator of the registry decides',
    );
  const override =
    worst === 'danger' ? { by: caller.account?.name ?? caller.via, reason, at: at.toISOString() } : undefined;
  const wasPublished = row.review === 'approved';
  await tx.query(
    `update versions set review = 'approved', review_reason = $2, reviewed_by = $3, reviewed_at = $4, flagged = null,
       override = coalesce($5::jsonb, override), eligible_at = case when $6 then eligible_at else $7 end where id = $1`,
    [
      row.id,
      reason,
      caller.account?.id ?? null,
      at,
      override === undefined ? null : json(override),
      wasPublished,
      // Nobody could look at it before it was approved, so its age counts from now.
      new Date(at.getTime() + settings.minimumAgeHours * 3_600_000),
    ],
  );
  return {
    action: 'version.approve',
    details: { reason, ...(override === undefined ? {} : { overrides: worst }) },
    logged: [
      { change: 'approved', reason },
      ...(override === undefined ? [] : [{ change: 'overridden' as const, reason }]),
    ],
    isPublic: true,
  };
}

async function reject(
  tx: Queryable,
  { now }: Registry,
  { caller, row, reason, decided }: Decision & { readonly decided: 'registry' | null },
): Promise<AppliedChange> {
  await tx.query(
    `update versions set review = 'rejected', review_reason = $2, reviewed_by = $3, reviewed_at = $4, flagged = null,
       authority = authority || jsonb_build_object('review', $5::text) where id = $1`,
    [row.id, reason, caller.account?.id ?? null, now(), decided],
  );
  return { action: 'version.reject', details: { reason }, logged: [{ change: 'rejected', reason }] };
}

/** The verdict of the newest scan, or that at publication if it was worse. */
async function worstVerdict(tx: Queryable, row: VersionRow): Promise<string> {
  const [newest] = await tx.query<{ verdict: string }>(
    `select result->>'verdict' as verdict from scans where version_id = $1 order by id desc limit 1`,
    [row.id],
  );
  return newest?.verdict === 'danger' ? 'danger' : row.verdict;
}

/**
 * Why the caller may not review a version: nobody reviews what they published. A CI run publishes for the account that trusted it, and
 * somebody else may have started it: unless the registry knows who, those who could have started it cannot review its version.
 */
export async function whyNotReviewer(
  tx: Queryable,
  caller: Caller,
  { id, ownerId }: { readonly id: number; readonly ownerId: number },
): Promise<string | undefined> {
  const [version] = await tx.query<{ publishedBy: number; startedBy: number | null; isOfCi: boolean }>(
    `select published_by as "publishedBy", started_by as "startedBy", coalesce(provenance->>'kind' = 'ci', false) as "isOfCi"
     from versions where id = $1`,
    [id],
  );
  const { publishedBy, startedBy, isOfCi } = version!;
  const account = caller.account?.id;
  if (account !== undefined && account === publishedBy)
    return 'you published this version; somebody else has to review it';
  if (!isOfCi || isModerator(caller)) return undefined;
  if (startedBy !== null)
    return account === startedBy
      ? 'you started the CI run that published this version; somebody else has to review it'
      : undefined;
  const mayPublish = caller.roles.get(ownerId)?.has('publisher') || caller.roles.get(ownerId)?.has('admin');
  return mayPublish
    ? 'a CI run published this version, and the registry does not know who started it: a reviewer who cannot publish here, or a moderator, has to review it'
    : undefined;
}

const MAX_QUEUE = 200;

/** Versions that wait for this caller's review, oldest first, in every namespace the caller reviews. */
export async function readReviewQueue(registry: Registry, caller: Caller): Promise<PendingVersion[]> {
  const now = registry.now();
  const parameters: unknown[] = [];
  const rows = await registry.database.query<
    VersionRow & { ownerId: number; owner: string; name: string; publisher: string }
  >(
    `select ${versionColumns}, s.owner_id as "ownerId", o.name as owner, s.name, a.name as publisher
     from versions v join skills s on s.id = v.skill_id join owners o on o.id = s.owner_id
       join accounts a on a.id = v.published_by
     where (v.review = 'pending' or v.flagged is not null) and v.purged is null and ${reviewedBy(caller, parameters)}
     order by v.id limit ${MAX_QUEUE}`,
    parameters,
  );
  return rows.map((row) => ({
    name: spellAddress(row),
    version: row.version,
    published: row.published_at.toISOString(),
    publishedBy: row.publisher,
    verdict: row.verdict,
    flagged: row.flagged,
    installable: installableOf(row, now),
    isOwn: row.published_by === caller.account?.id,
  }));
}
