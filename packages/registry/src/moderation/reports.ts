// Reports to the moderators of the registry. A namespace does not hear who reported its skills.

import { randomUUID } from 'node:crypto';
import type { Report, ReportRequest, SkillAddress } from 'skillwright/registry-protocol';
import { type Caller, isModerator, notFound, record, unauthorised } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { seeSkill, seeVersion } from '../skills/index.ts';
import { queryMessages } from '../store/index.ts';

const MAX_LISTED = 200;
/** Open reports one account may have at a time. */
const MAX_OPEN = 20;

/** Reports a skill, or one of its versions. */
export async function reportSkill(
  registry: Registry,
  caller: Caller,
  { address, report }: { readonly address: SkillAddress; readonly report: ReportRequest },
): Promise<{ id: string }> {
  if (caller.account === undefined) throw unauthorised();
  const { id: accountId } = caller.account;
  const skill = await seeSkill(registry, caller, address);
  if (report.version !== null) await seeVersion(registry, caller, { ...address, version: report.version });
  const id = randomUUID();
  await registry.database.transaction(async (tx) => {
    const [open] = await tx.query<{ all: number; same: number }>(
      `select count(*) as all, count(*) filter (where skill_id = $2) as same from reports
       where account_id = $1 and resolved_at is null`,
      [accountId, skill.id],
    );
    if (open!.same > 0) throw new Failure('conflict', 'your report about this skill is still open');
    if (open!.all >= MAX_OPEN)
      throw new Failure('rate_limited', `you have ${MAX_OPEN} open reports; wait until they are resolved`);
    await tx.query(
      'insert into reports (id, skill_id, version, account_id, kind, message, at) values ($1, $2, $3, $4, $5, $6, $7)',
      [id, skill.id, report.version, accountId, report.kind, report.message, registry.now()],
    );
    await record(tx, caller, {
      // Without the namespace, whose people would read the reporter's name in its audit log.
      action: 'report.open',
      skillId: skill.id,
      version: report.version ?? undefined,
      details: { id, kind: report.kind },
    });
  });
  return { id };
}

/** Reports, oldest first. None for callers who do not moderate the registry. */
export async function listReports(
  registry: Registry,
  caller: Caller,
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

/** Ends a report. */
export async function resolveReport(
  registry: Registry,
  caller: Caller,
  { id, resolution }: { readonly id: string; readonly resolution: string },
): Promise<void> {
  if (caller.account === undefined) throw unauthorised();
  await registry.database.transaction(async (tx) => {
    const [report] = await tx.query<{ skillId: number; resolved: boolean }>(
      `select skill_id as "skillId", resolved_at is not null as resolved from reports where id = $1 for update`,
      [id],
    );
    if (report === undefined || !isModerator(caller)) throw notFound();
    if (report.resolved) throw new Failure('conflict', 'this report is resolved already');
    await tx.query('update reports set resolution = $2, resolved_by = $3, resolved_at = $4 where id = $1', [
      id,
      resolution,
      caller.account?.id ?? null,
      registry.now(),
    ]);
    const { skillId } = report;
    await record(tx, caller, { action: 'report.resolve', skillId, details: { id, resolution } });
  });
}
