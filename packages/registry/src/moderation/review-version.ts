// Reviews: a version waits until somebody other than its publisher approves or rejects it.

import { type PendingVersion, spellAddress } from 'skillwright/registry-protocol';
import {
  type Caller,
  decidedBy,
  demand,
  demandUndo,
  isModerator,
  reviewedBy,
  unauthorised,
} from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { installableOf, type VersionRow, versionColumns } from '../catalog/index.ts';
import { type AppliedChange, changeVersion } from '../skills/index.ts';
import { json, type Queryable } from '../store/index.ts';
import type { Act, Change, Handlers } from '../work/index.ts';

const MAX_QUEUE = 200;

export const reviewOperations = {
  /** Approves or rejects a version. Approving a dangerous one overrides the scan, and records who did so and why. */
  reviewVersion(call) {
    const { caller, body } = call;
    return changeVersion(call, {
      demand: (skill) => demand(caller, 'review', skill),
      async apply(made, { skill: { ownerId }, row }) {
        const refusal = await whyNotReviewer(made.tx, caller, { id: row.id, ownerId });
        if (refusal !== undefined) throw new Failure('forbidden', refusal);
        if (row.review === 'approved' && row.flagged === null)
          throw new Failure('conflict', 'this version does not wait for a review; quarantine it instead');
        if (row.review === 'rejected' && body.decision === 'reject')
          throw new Failure('conflict', 'this version is rejected already');
        const right = { action: 'review', ownerId } as const;
        if (row.review === 'rejected') demandUndo(caller, { ...right, decided: row.authority.review });
        if (body.decision === 'approve') return approve(made, row, body.reason);
        await decideReview(made, row, { review: 'rejected', ...body, decided: decidedBy(caller, right) });
        const { reason } = body;
        return { action: 'version.reject', details: { reason }, logged: [{ change: 'rejected', reason }] };
      },
    });
  },

  /** Versions that wait for this caller's review, oldest first, in every namespace the caller reviews. */
  async readReviewQueue(act) {
    if (act.caller.account === undefined) throw unauthorised();
    return { versions: await readReviewQueue(act) };
  },
} satisfies Partial<Handlers>;

function decideReview(
  { registry, caller, tx }: Change,
  { id }: VersionRow,
  {
    review,
    reason,
    decided,
  }: { readonly review: string; readonly reason: string; readonly decided?: 'registry' | null },
): Promise<unknown> {
  return tx.query(
    `update versions set review = $2, review_reason = $3, reviewed_by = $4, reviewed_at = $5, flagged = null,
       authority = authority || $6::jsonb where id = $1`,
    [
      ...[id, review, reason, caller.account?.id ?? null, registry.now()],
      json(decided === undefined ? {} : { review: decided }),
    ],
  );
}

async function approve(made: Change, row: VersionRow, reason: string): Promise<AppliedChange> {
  const { registry, caller, tx } = made;
  const at = registry.now();
  // The verdict of the newest scan, or that at publication if it was worse.
  const [newest] = await tx.query<{ verdict: string }>(
    `select result->>'verdict' as verdict from scans where version_id = $1 order by id desc limit 1`,
    [row.id],
  );
  const isDangerous = newest?.verdict === 'danger' || row.verdict === 'danger';
  if (isDangerous && !isModerator(caller))
    throw new Failure(
      'forbidden',
      'the scan calls this version dangerous; a moderator of the registry decides',
    );
  await decideReview(made, row, { review: 'approved', reason });
  // Nobody could look at it before it was approved, so its age counts from now.
  if (row.review !== 'approved')
    await tx.query('update versions set eligible_at = $2 where id = $1', [
      row.id,
      new Date(at.getTime() + registry.settings.minimumAgeHours * 3_600_000),
    ]);
  const by = caller.account?.name ?? caller.via;
  if (isDangerous)
    await tx.query('update versions set override = $2::jsonb where id = $1', [
      row.id,
      json({ by, reason, at: at.toISOString() }),
    ]);
  return {
    action: 'version.approve',
    details: { reason, ...(isDangerous ? { overrides: 'danger' } : {}) },
    logged: [
      { change: 'approved', reason },
      ...(isDangerous ? [{ change: 'overridden' as const, reason }] : []),
    ],
    isPublic: true,
  };
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
  const roles = caller.roles.get(ownerId);
  return roles?.has('publisher') || roles?.has('admin')
    ? 'a CI run published this version, and the registry does not know who started it: a reviewer who cannot publish here, or a moderator, has to review it'
    : undefined;
}

/** The same for a page, which everybody may open. */
export async function readReviewQueue({ registry, caller }: Act): Promise<PendingVersion[]> {
  const now = registry.now();
  const parameters: unknown[] = [];
  const rows = await registry.database.query<VersionRow & { owner: string; name: string; publisher: string }>(
    `select ${versionColumns}, o.name as owner, s.name, a.name as publisher
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
