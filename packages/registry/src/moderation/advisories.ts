// Advisories: known problems of some versions of a skill, numbered by year.

import { decidedBy, demand, demandUndo, notFound } from '../access/index.ts';
import { lockSkill } from '../catalog/index.ts';
import { refreshSkills } from '../skills/index.ts';
import { change, type Handlers } from '../work/index.ts';

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
