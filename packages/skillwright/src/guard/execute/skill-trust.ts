// Which skills the user trusts with tools and hooks. Like every grant it holds for the skill as it was: an edited one is
// trusted no more.

import { isMapping } from '../../skill/format/index.ts';
import { readState, storeAt, updateState } from '../../skill/workspace/index.ts';
import { forgetSkill, type GrantedSkill } from './grant-memory.ts';
import type { SkillGrants } from './skill-access.ts';
import { skillDigest } from './skill-tree.ts';

/** The identity of what would be trusted: everything that can be read when something of the skill is run. */
export function trustDigest({ dir, digest }: Pick<SkillGrants, 'dir' | 'digest'>): string {
  return digest ?? skillDigest(dir);
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
