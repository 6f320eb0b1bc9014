// Which skills the user trusts with tools and hooks. Like every grant it holds for the skill as it was: an edited one is
// trusted no more.

import { isMapping } from '../../skill/format/index.ts';
import { readState, storeAt, updateState } from '../../skill/workspace/index.ts';
import { forgetSkill, type GrantedSkill } from './grant-memory.ts';
import type { SkillGrants } from './skill-access.ts';
import { skillDigest } from './skill-digest.ts';

/** The identity of what would be trusted: everything in the skill but what it declares to change itself. */
export function trustDigest({ dir, declared }: Pick<SkillGrants, 'dir' | 'declared'>): string {
  return skillDigest(
    dir,
    declared.flatMap((grant) => (grant.kind === 'write' ? [grant.path] : [])),
  );
}

/** Whether the user trusts exactly this skill. No when the memory cannot be read. */
export function isTrusted(home: string, { dir, digest }: GrantedSkill): boolean {
  const { trusted } = readState(storeAt('user', home).state).state;
  return isMapping(trusted) && Object.hasOwn(trusted, dir) && trusted[dir] === digest;
}

/** Remembers that the user trusts a skill as it is. E016 when that cannot be written. */
export function trustSkill(home: string, { dir, digest }: GrantedSkill): void {
  updateState(storeAt('user', home).state, (state) => {
    const others = isMapping(state.trusted) ? state.trusted : {};
    if (others[dir] === digest) return undefined;
    return { ...state, trusted: { ...others, [dir]: digest } };
  });
}

/** Forgets it. True when the skill was trusted, as it is or as it was. */
export function distrustSkill(home: string, dir: string): boolean {
  return forgetSkill(home, 'trusted', dir);
}
