// Applications for the level `verified`: the people of a namespace apply, a moderator of the registry decides.

import { randomUUID } from 'node:crypto';
import type { Verification } from 'skillwright/registry-protocol';
import { demand, isModerator, may, notFound, unauthorised } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { lockSkill } from '../catalog/index.ts';
import { refreshSkills } from '../skills/index.ts';
import { type Queryable, queryMessages } from '../store/index.ts';
import { type Act, change, type Handlers } from '../work/index.ts';

const MAX_LISTED = 200;

const VERIFICATIONS = `select x.id, '@' || o.name || '/' || s.name as name, x.statement, x.url, a.name as by, x.at, x.decision, x.reason
  from verifications x join skills s on s.id = x.skill_id join owners o on o.id = s.owner_id join accounts a on a.id = x.account_id`;

export const verificationOperations = {
  /** Applies for a skill. Only its namespace's admins can: they speak for the people behind it. */
  applyForVerification: ({ registry, caller, path, body: { statement, url } }) =>
    change({ registry, caller }, async ({ tx, note }) => {
      const { id: skillId, ownerId, ...skill } = await lockSkill(tx, caller, path);
      demand(caller, 'manage', { ownerId, ...skill });
      if (caller.account === undefined) throw unauthorised();
      if (skill.level !== 'community') throw new Failure('conflict', `this skill is ${skill.level} already`);
      const id = randomUUID();
      const rows = await tx.query(
        `insert into verifications (id, skill_id, account_id, statement, url, at) values ($1, $2, $3, $4, $5, $6)
         on conflict (skill_id) where decision is null do nothing returning id`,
        [id, skillId, caller.account.id, statement, url, registry.now()],
      );
      if (rows.length === 0)
        throw new Failure('conflict', 'an application for this skill is waiting already');
      note('verification.apply', { ownerId, skillId, details: { id, statement, url } });
      return findVerification(tx, id);
    }),

  listVerifications: async ({ registry, caller, query }) => ({
    verifications: await listVerifications({ registry, caller }, { isOpen: query.state === 'open' }),
  }),

  /** Grants the level, or declines. Nobody decides about a namespace they belong to. */
  decideVerification: ({ registry, caller, path: { id }, body: { decision, reason } }) =>
    change({ registry, caller }, async ({ tx, note }) => {
      const [row] = await tx.query<{ owner: string; name: string; accountId: number }>(
        `select o.name as owner, s.name, x.account_id as "accountId" from verifications x
         join skills s on s.id = x.skill_id join owners o on o.id = s.owner_id where x.id = $1 for update of x`,
        [id],
      );
      if (row === undefined || !isModerator(caller)) throw notFound();
      const skill = await lockSkill(tx, caller, row);
      const { ownerId, id: skillId } = skill;
      if (row.accountId === caller.account?.id || caller.roles.has(ownerId))
        throw new Failure('forbidden', 'you belong to this namespace; another moderator has to decide');
      const decided = await tx.query(
        `update verifications set decision = $2, reason = $3, decided_by = $4, decided_at = $5
         where id = $1 and decision is null returning id`,
        [id, decision, reason, caller.account?.id ?? null, registry.now()],
      );
      if (decided.length === 0) throw new Failure('conflict', 'this application is decided already');
      // A level that an administrator gave meanwhile stays.
      const sql = `update skills set level = 'verified' where id = $1 and level = 'community'`;
      if (decision === 'grant') await tx.query(sql, [skillId]);
      if (decision === 'grant') await refreshSkills(tx, registry, [skill]);
      note(`verification.${decision}`, { ownerId, skillId, details: { id, reason } });
      return findVerification(tx, id);
    }),
} satisfies Partial<Handlers>;

/** Applications, oldest first: all of them for moderators, else those of the namespaces that the caller manages. */
export async function listVerifications(
  { registry: { database }, caller }: Act,
  { isOpen, skill }: { readonly isOpen: boolean; readonly skill?: number },
): Promise<Verification[]> {
  if (caller.account === undefined) throw unauthorised();
  const managed = [...caller.roles.keys()].filter((ownerId) => may(caller, 'manage', { ownerId }));
  return queryMessages(
    database,
    `${VERIFICATIONS} where (x.decision is null) = $1 and ($2 or s.owner_id = any($3::bigint[]))
       and ($4::bigint is null or s.id = $4) order by x.at, x.id limit ${MAX_LISTED}`,
    [isOpen, isModerator(caller), managed, skill ?? null],
  );
}

async function findVerification(tx: Queryable, id: string): Promise<Verification> {
  const [found] = await queryMessages<Verification>(tx, `${VERIFICATIONS} where x.id = $1`, [id]);
  return found!;
}
