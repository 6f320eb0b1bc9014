// Changes of a skill as a whole: deprecation, visibility, demands, level, ratings.

import type {
  RegistryLevel,
  SkillAddress,
  SkillChange,
  SkillIndex,
  SkillSummary,
} from 'skillwright/registry-protocol';
import {
  type Authority,
  type Caller,
  decidedBy,
  demand,
  demandRating,
  demandRegistryAdmin,
  demandUndo,
  record,
} from '../access/index.ts';
import { indexOf, lockSkill, type SkillRow, summaryOf, viewOf } from '../catalog/index.ts';
import type { Registry } from '../registry.ts';
import { json, type Queryable } from '../store/index.ts';
import { logVersions } from './log-versions.ts';
import { refreshSkill } from './refresh-skill.ts';
import { seeFacts, seeSkill } from './see-skill.ts';

/** Changes settings of a skill; fields left out stay. */
export async function changeSkill(
  registry: Registry,
  caller: Caller,
  { address, change }: { readonly address: SkillAddress; readonly change: SkillChange },
): Promise<SkillIndex> {
  await registry.database.transaction(async (tx) => {
    const skill = await lockSkill(tx, caller, address);
    demand(caller, 'publish', skill);
    // A thief with a publisher's token must not be able to open the skill to it.
    if (change.requireProvenance === false && skill.requireProvenance) demand(caller, 'manage', skill);
    const deeds = deedsOf(skill, change);
    if (deeds.length === 0) return;
    const authority = decide(skill, caller, change);
    const wanted = { ...skill, ...dropUndefined(change) };
    await tx.query(
      `update skills set deprecated = $2, visibility = $3, require_provenance = $4, authority = authority || $5::jsonb
       where id = $1`,
      [skill.id, wanted.deprecated, wanted.visibility, wanted.requireProvenance, json(authority)],
    );
    await refreshSkill(tx, registry, skill, { isReindexed: wanted.visibility !== skill.visibility });
    for (const { action, details } of deeds) await note(tx, caller, { skill, action, details });
    if (wanted.visibility === 'public' && skill.visibility === 'private')
      await logVersions(tx, registry, skill.id);
  });
  return readIndex(registry, caller, address);
}

/** The authority that decides a change; fails for a change that would undo what another authority decided. */
function decide(skill: SkillRow, caller: Caller, { deprecated, visibility }: SkillChange): Authority {
  const right = { action: 'publish', ownerId: skill.ownerId } as const;
  const decided = decidedBy(caller, right);
  const isTakenOver = decided === 'registry';
  if (deprecated !== undefined && deprecated !== skill.deprecated && skill.deprecated !== null)
    if (deprecated === null || !isTakenOver)
      demandUndo(caller, { ...right, decided: skill.authority.deprecated });
  // Hiding a skill is a decision; a new skill is private without one.
  if (visibility === 'public' && skill.visibility === 'private' && skill.authority.visibility !== undefined)
    demandUndo(caller, { ...right, decided: skill.authority.visibility });
  return {
    ...(deprecated === undefined || deprecated === skill.deprecated ? {} : { deprecated: decided }),
    ...(visibility === undefined || visibility === skill.visibility ? {} : { visibility: decided }),
  };
}

/** The index as the caller sees it. */
async function readIndex(registry: Registry, caller: Caller, address: SkillAddress): Promise<SkillIndex> {
  const facts = await seeFacts(registry, caller, address);
  return indexOf(registry, facts, viewOf(caller, facts.skill));
}

/** Sets the trust level of a skill. */
export async function setLevel(
  registry: Registry,
  caller: Caller,
  { address, level }: { readonly address: SkillAddress; readonly level: RegistryLevel },
): Promise<SkillIndex> {
  await registry.database.transaction(async (tx) => {
    const skill = await lockSkill(tx, caller, address);
    demandRegistryAdmin(caller);
    if (skill.level === level) return;
    await tx.query('update skills set level = $2 where id = $1', [skill.id, level]);
    await refreshSkill(tx, registry, skill);
    await note(tx, caller, { skill, action: 'skill.level', details: { from: skill.level, to: level } });
  });
  return readIndex(registry, caller, address);
}

/** Gives a skill one to five stars; null takes them back. Members who publish a skill cannot rate it. */
export async function rateSkill(
  registry: Registry,
  caller: Caller,
  { address, stars }: { readonly address: SkillAddress; readonly stars: number | null },
): Promise<SkillSummary> {
  await registry.database.transaction(async (tx) => {
    const skill = await lockSkill(tx, caller, address);
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
    await note(tx, caller, {
      skill,
      action: stars === null ? 'skill.unrate' : 'skill.rate',
      details: { stars },
    });
  });
  return summaryOf(await seeSkill(registry, caller, address));
}

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

function note(
  tx: Queryable,
  caller: Caller,
  { skill, action, details }: { skill: SkillRow; action: string; details: Record<string, unknown> },
): Promise<void> {
  return record(tx, caller, { action, ownerId: skill.ownerId, skillId: skill.id, details });
}

function deedsOf(
  skill: SkillRow,
  change: SkillChange,
): { action: string; details: Record<string, unknown> }[] {
  const { deprecated, visibility, requireProvenance } = change;
  return [
    ...(deprecated === undefined || deprecated === skill.deprecated
      ? []
      : [
          {
            action: deprecated === null ? 'skill.undeprecate' : 'skill.deprecate',
            details: { reason: deprecated },
          },
        ]),
    ...(visibility === undefined || visibility === skill.visibility
      ? []
      : [{ action: 'skill.visibility', details: { visibility } }]),
    ...(requireProvenance === undefined || requireProvenance === skill.requireProvenance
      ? []
      : [{ action: 'skill.provenance', details: { requireProvenance } }]),
  ];
}

function dropUndefined<Value extends object>(
  value: Value,
): { [Key in keyof Value]: NonNullable<Value[Key]> | null } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never;
}
