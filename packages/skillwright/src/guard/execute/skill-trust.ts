// Skills that the user trusts with tools and hooks. Like every grant it depends on the content: an edited skill is
// no longer trusted.

import { isMapping } from '../../skill/format/index.ts';
import { readState, storeAt, updateState } from '../../skill/workspace/index.ts';
import { forgetSkill, type GrantedVersion } from './grant-memory.ts';
import type { SkillGrants } from './skill-access.ts';
import { skillDigest } from './skill-tree.ts';

/** The digest to trust, over everything that code of the skill can read. */
export function trustDigest({ dir, digest }: Pick<SkillGrants, 'dir' | 'digest'>): string {
  return digest ?? skillDigest(dir);
}

/** Whether the user trusts exactly this skill; false when the state file cannot be read. */
export function isTrusted(home: string, { dir, digest }: GrantedVersion): boolean {
  const { trusted } = readState(storeAt('user', home).state).state;
  return isMapping(trusted) && Object.hasOwn(trusted, dir) && trusted[dir] === digest;
}

/** Records that the user trusts the current content of a skill. E016 when that cannot be written. */
export function trustSkill(home: string, { dir, digest }: GrantedVersion): void {
  updateState(storeAt('user', home).state, (state) => {
    const others = isMapping(state.trusted) ? state.trusted : {};
    if (others[dir] === digest) return undefined;
    return { ...state, trusted: { ...others, [dir]: digest } };
  });
}

/** Removes the trust. True when the skill was trusted, in this version or another. */
export function distrustSkill(home: string, dir: string): boolean {
  return forgetSkill(home, 'trusted', dir);
}
