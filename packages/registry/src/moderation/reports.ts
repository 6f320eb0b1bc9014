// Reports to the moderators of the registry, of which a namespace does not hear who made them, and advisories: known problems of
// some versions of a skill, numbered by year.

import { randomUUID } from 'node:crypto';
import type { Report } from 'skillwright/registry-protocol';
import { decidedBy, demand, demandUndo, isModerator, notFound, unauthorised } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { lockSkill } from '../catalog/index.ts';
import { refreshSkills, seeSkill, seeVersion } from '../skills/index.ts';
import { queryMessages } from '../store/index.ts';
import { type Act, change, type Handlers } from '../work/index.ts';

const MAX_LISTED = 200;
/** Open reports one account may have at a time. */
const MAX_OPEN = 20;

export const reportOperations = {
  /** Reports a skill, or one of its versions. */
  async reportSkill({ registry, caller, path, body: { version, kind, message } }) {
    if (caller.account === undefined) throw unauthorised();
    const { id: accountId } = caller.account;
    const { id: skillId } = await seeSkill(registry, caller, path);
    if (version !== null) await seeVersion(registry, caller, { ...path, version });
    return change({ registry, caller }, async ({ tx, note }) => {
      const [open] = await tx.query<{ all: number; same: number }>(
        `select count(*) as all, count(*) filter (where skill_id = $2) as same from reports
         where account_id = $1 and resolved_at is null`,
        [accountId, skillId],
      );
      if (open!.same > 0) throw new Failure('conflict', 'your report about this skill is still open');
      if (open!.all >= MAX_OPEN)
        throw new Failure('rate_limited', `you have ${MAX_OPEN} open reports; wait until they are resolved`);
      const id = randomUUID();
      await tx.query(
        'insert into reports (id, skill_id, version, account_id, kind, message, at) values ($1, $2, $3, $4, $5, $6, $7)',
        [id, skillId, version, accountId, kind, message, registry.now()],
      );
      // Without the namespace, whose people would read the reporter's name in its audit log.
      note('report.open', { skillId, version: version ?? undefined, details: { id, kind } });
      return { id };
    });
  },

  async listReports({ registry, caller, query }) {
    if (caller.account === undefined) throw unauthorised();
    return { reports: await listReports({ registry, caller }, { isOpen: query.state === 'open' }) };
  },

  /** Ends a report. */
  async resolveReport({ registry, caller, path: { id }, body: { resolution } }) {
    if (caller.account === undefined) throw unauthorised();
    const by = caller.account.id;
    return change({ registry, caller }, async ({ tx, note }) => {
      const [report] = await tx.query<{ skillId: number; resolved: boolean }>(
        `select skill_id as "skillId", resolved_at is not null as resolved from reports where id = $1 for update`,
        [id],
      );
      if (report === undefined || !isModerator(caller)) throw notFound();
      if (report.resolved) throw new Failure('conflict', 'this report is resolved already');
      await tx.query('update reports set resolution = $2, resolved_by = $3, resolved_at = $4 where id = $1', [
        ...[id, resolution, by, registry.now()],
      ]);
      note('report.resolve', { skillId: report.skillId, details: { id, resolution } });
    });
  },
} satisfies Partial<Handlers>;

/** Reports, oldest first. None for callers who do not moderate the registry. */
export async function listReports(
  { registry, caller }: Act,
  { isOpen }: { readonly isOpen: boolean },
): Promise<Report[]> {
  if (!isModerator(caller)) return [];
  return queryMessages(
    registry.database,
    `select r.id, '@' || o.name || '/' || s.name as name, r.version, r.kind, r.message, a.name as by, r.at, r.resolution
     from reports r join skills s on s.id = r.skill_id join owners o on o.id = s.owner_id join accounts a on a.id = r.account_id
     where (r.resolved_at is null) = $1 order by r.at, r.id limit ${MAX_LISTED}`,
    [isOpen],
  );
}

export const advisoryOperations = {
  publishAdvisory: ({ registry, caller, path, body }) =>
    change({ registry, caller }, async ({ tx, note }) => {
      const skill = await lockSkill(tx, caller, path);
      demand(caller, 'review', skill);
      const { ownerId, id: skillId } = skill;
      const now = registry.now();
      const year = now.getUTCFullYear();
      const [{ last } = { last: 1 }] = await tx.query<{ last: number }>(
        `insert into advisory_years (year, last) values ($1, 1)
         on conflict (year) do update set last = advisory_years.last + 1 returning last`,
        [year],
      );
      const id = `SKA-${year}-${String(last).padStart(4, '0')}`;
      const { severity, summary, affected, url } = body;
      const byRegistry = decidedBy(caller, { action: 'review', ownerId }) === 'registry';
      await tx.query(
        `insert into advisories (id, skill_id, severity, summary, affected, url, account_id, at, by_registry)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [id, skillId, severity, summary, affected, url, caller.account?.id ?? null, now, byRegistry],
      );
      await refreshSkills(tx, registry, [skill]);
      note('advisory.publish', { ownerId, skillId, details: { id, severity, summary, affected } });
      return { id, ...body };
    }),

  /** Withdraws an advisory; its number is never used again. */
  withdrawAdvisory: ({ registry, caller, path }) =>
    change({ registry, caller }, async ({ tx, note }) => {
      const { id } = path;
      const skill = await lockSkill(tx, caller, path);
      demand(caller, 'review', skill);
      const { ownerId, id: skillId } = skill;
      const [row] = await tx.query<{ by_registry: boolean }>(
        `update advisories set withdrawn_at = $3 where id = $1 and skill_id = $2 and withdrawn_at is null
         returning by_registry`,
        [id, skillId, registry.now()],
      );
      if (row === undefined) throw notFound();
      demandUndo(caller, { decided: row.by_registry ? 'registry' : null, action: 'review', ownerId });
      await refreshSkills(tx, registry, [skill]);
      note('advisory.withdraw', { ownerId, skillId, details: { id } });
    }),
} satisfies Partial<Handlers>;
