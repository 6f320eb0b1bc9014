// Advisories: known problems of some versions of a skill, numbered by year.

import type { AdvisoryRequest, RegistryAdvisory, SkillAddress } from 'skillwright/registry-protocol';
import { type Caller, decidedBy, demand, demandUndo, notFound, record } from '../access/index.ts';
import { lockSkill } from '../catalog/index.ts';
import type { Registry } from '../registry.ts';
import { refreshSkill } from '../skills/index.ts';

/** Publishes an advisory. */
export async function publishAdvisory(
  registry: Registry,
  caller: Caller,
  { address, advisory }: { readonly address: SkillAddress; readonly advisory: AdvisoryRequest },
): Promise<RegistryAdvisory> {
  return registry.database.transaction(async (tx) => {
    const skill = await lockSkill(tx, caller, address);
    demand(caller, 'review', skill);
    const now = registry.now();
    const year = now.getUTCFullYear();
    const [{ last } = { last: 1 }] = await tx.query<{ last: number }>(
      `insert into advisory_years (year, last) values ($1, 1)
       on conflict (year) do update set last = advisory_years.last + 1 returning last`,
      [year],
    );
    const id = `SKA-${year}-${String(last).padStart(4, '0')}`;
    const { severity, summary, affected, url } = advisory;
    const decided = decidedBy(caller, { action: 'review', ownerId: skill.ownerId });
    await tx.query(
      `insert into advisories (id, skill_id, severity, summary, affected, url, account_id, at, by_registry)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        id,
        skill.id,
        severity,
        summary,
        affected,
        url,
        caller.account?.id ?? null,
        now,
        decided === 'registry',
      ],
    );
    await refreshSkill(tx, registry, skill);
    const { ownerId, id: skillId } = skill;
    const details = { id, severity, summary, affected };
    await record(tx, caller, { action: 'advisory.publish', ownerId, skillId, details });
    return { id, ...advisory };
  });
}

/** Withdraws an advisory; its number is never used again. */
export async function withdrawAdvisory(
  registry: Registry,
  caller: Caller,
  { address, id }: { readonly address: SkillAddress; readonly id: string },
): Promise<void> {
  await registry.database.transaction(async (tx) => {
    const skill = await lockSkill(tx, caller, address);
    demand(caller, 'review', skill);
    const [row] = await tx.query<{ by_registry: boolean }>(
      `update advisories set withdrawn_at = $3 where id = $1 and skill_id = $2 and withdrawn_at is null
       returning by_registry`,
      [id, skill.id, registry.now()],
    );
    if (row === undefined) throw notFound();
    const decided = row.by_registry ? 'registry' : null;
    demandUndo(caller, { decided, action: 'review', ownerId: skill.ownerId });
    await refreshSkill(tx, registry, skill);
    const { ownerId, id: skillId } = skill;
    await record(tx, caller, { action: 'advisory.withdraw', ownerId, skillId, details: { id } });
  });
}
