// Changes of a skill as a whole: deprecation, visibility, demands, level, ratings.

import type { SkillAddress, SkillIndex } from 'skillwright/registry-protocol';
import { type Caller, decide, demand, demandRating, demandRegistryAdmin } from '../access/index.ts';
import { indexOf, lockSkill, type SkillRow, summaryOf, viewOf } from '../catalog/index.ts';
import { json, type Queryable } from '../store/index.ts';
import { type Act, type Change, change, type Handlers, type OperationCall } from '../work/index.ts';
import { missingLeaves } from './change-version.ts';
import { refreshSkills } from './refresh-skill.ts';
import { seeFacts, seeSkill } from './see-skill.ts';

/** Changes the skill in the path, locked. */
function changeLocked(
  { registry, caller, path }: Pick<OperationCall, 'registry' | 'caller' | 'path'>,
  work: (made: Change, skill: SkillRow) => Promise<void>,
): Promise<void> {
  return change({ registry, caller }, async (made) => work(made, await lockSkill(made.tx, caller, path)));
}

/** The index as the caller sees it. */
async function readIndex({ registry, caller }: Act, address: SkillAddress): Promise<SkillIndex> {
  const facts = await seeFacts(registry, caller, address);
  return indexOf(registry, facts, viewOf(caller, facts.skill));
}

/** Gives a skill one to five stars; null takes them back. Members who publish a skill cannot rate it. */
async function rate(call: Omit<OperationCall, 'query' | 'body'>, stars: number | null) {
  const { registry, caller, path } = call;
  await changeLocked(call, async ({ tx, note }, skill) => {
    demandRating(caller, skill, { hasPublished: await hasPublished(tx, caller, skill) });
    const account = caller.account!.id;
    if (stars === null)
      await tx.query('delete from ratings where skill_id = $1 and account_id = $2', [skill.id, account]);
    else
      await tx.query(
        `insert into ratings (skill_id, account_id, stars, at) values ($1, $2, $3, $4)
         on conflict (skill_id, account_id) do update set stars = excluded.stars, at = excluded.at`,
        [skill.id, account, stars, registry.now()],
      );
    await tx.query(
      `update skills set revision = revision + 1, rating_count = r.count, rating_sum = r.sum
       from (select count(*) as count, coalesce(sum(stars), 0) as sum from ratings where skill_id = $1) r where id = $1`,
      [skill.id],
    );
    const about = { ownerId: skill.ownerId, skillId: skill.id, details: { stars } };
    note(stars === null ? 'skill.unrate' : 'skill.rate', about);
  });
  return summaryOf(await seeSkill(registry, caller, path));
}

export const skillOperations = {
  /** Changes settings of a skill; fields left out stay. */
  async changeSkill(call) {
    const { registry, caller, path, body } = call;
    await changeLocked(call, async ({ tx, note, log }, skill) => {
      demand(caller, 'publish', skill);
      // A thief with a publisher's token must not be able to open the skill to it.
      if (body.requireProvenance === false && skill.requireProvenance) demand(caller, 'manage', skill);
      const {
        deprecated = skill.deprecated,
        visibility = skill.visibility,
        requireProvenance = skill.requireProvenance,
      } = body;
      const { id: skillId, ownerId, authority: decided } = skill;
      const about = { ownerId, skillId };
      const right = { action: 'publish', ownerId } as const;
      const authority: Record<string, 'registry' | null> = {};
      if (deprecated !== skill.deprecated) {
        const asked = { ...right, decided: decided.deprecated };
        authority.deprecated = decide(caller, asked, { from: skill.deprecated, to: deprecated });
        const action = deprecated === null ? 'skill.undeprecate' : 'skill.deprecate';
        note(action, { ...about, details: { reason: deprecated } });
      }
      if (visibility !== skill.visibility) {
        // Hiding a skill is a decision; a new skill is private without one.
        const from = decided.visibility === undefined || visibility === 'private' ? null : 'private';
        authority.visibility = decide(caller, { ...right, decided: decided.visibility }, { from, to: null });
        note('skill.visibility', { ...about, details: { visibility } });
      }
      if (requireProvenance !== skill.requireProvenance)
        note('skill.provenance', { ...about, details: { requireProvenance } });
      else if (Object.keys(authority).length === 0) return;
      await tx.query(
        `update skills set deprecated = $2, visibility = $3, require_provenance = $4, authority = authority || $5::jsonb
         where id = $1`,
        [skillId, deprecated, visibility, requireProvenance, json(authority)],
      );
      await refreshSkills(tx, registry, [{ ...skill, isReindexed: visibility !== skill.visibility }]);
      if (visibility === 'public' && skill.visibility === 'private')
        for (const leaf of await missingLeaves(tx, skillId)) log(leaf);
    });
    return readIndex(call, path);
  },

  async setLevel(call) {
    const { registry, caller, path, body } = call;
    await changeLocked(call, async ({ tx, note }, skill) => {
      demandRegistryAdmin(caller);
      const [from, to] = [skill.level, body.level];
      if (from === to) return;
      await tx.query('update skills set level = $2 where id = $1', [skill.id, to]);
      await refreshSkills(tx, registry, [skill]);
      note('skill.level', { ownerId: skill.ownerId, skillId: skill.id, details: { from, to } });
    });
    return readIndex(call, path);
  },

  rateSkill: (call) => rate(call, call.body.stars),
  unrateSkill: (call) => rate(call, null),
} satisfies Partial<Handlers>;

/** Whether the account has published in the namespace of a skill, even if it has no role there any more. */
export async function hasPublished(
  tx: Queryable,
  { account }: Caller,
  { ownerId }: Pick<SkillRow, 'ownerId'>,
): Promise<boolean> {
  const [row] = await tx.query(
    `select from versions v join skills s on s.id = v.skill_id
     where $1 in (v.published_by, v.started_by) and s.owner_id = $2 limit 1`,
    [account?.id ?? null, ownerId],
  );
  return row !== undefined;
}
