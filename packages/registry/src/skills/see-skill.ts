// A skill for a caller who may see it.

import type { SkillAddress } from 'skillwright/registry-protocol';
import { type Caller, maySee, notFound } from '../access/index.ts';
import {
  loadFacts,
  lookUpSkill,
  type SkillFacts,
  type SkillRow,
  type VersionRow,
  versionsIn,
  viewOf,
} from '../catalog/index.ts';
import type { Registry } from '../registry.ts';
import { settleSkills } from './refresh-skill.ts';

/** The skill; 404 when it does not exist or the caller may not see it. */
export async function seeSkill(registry: Registry, caller: Caller, address: SkillAddress): Promise<SkillRow> {
  const row = await lookUpSkill(registry, caller, address);
  if (row === undefined || !maySee(caller, row)) throw notFound();
  if (row.settleAt === null || row.settleAt > registry.now()) return row;
  await settleSkills(registry, row.id);
  return (await lookUpSkill(registry, caller, address)) ?? row;
}

/** The skill with its versions and advisories. */
export async function seeFacts(
  registry: Registry,
  caller: Caller,
  address: SkillAddress,
): Promise<SkillFacts> {
  const skill = await seeSkill(registry, caller, address);
  return (await loadFacts(registry, [skill])).get(skill.id)!;
}

/** One version of a skill; 404 when the caller may not see it. */
export async function seeVersion(
  registry: Registry,
  caller: Caller,
  { version, ...address }: SkillAddress & { readonly version: string },
): Promise<{ readonly facts: SkillFacts; readonly row: VersionRow }> {
  const facts = await seeFacts(registry, caller, address);
  const row = versionsIn(facts, viewOf(caller, facts.skill)).find((one) => one.version === version);
  if (row === undefined) throw notFound();
  return { facts, row };
}
