// What the user has granted to skills. It is the user's alone: a project cannot bring its own, and an edited skill has none.

import * as z from 'zod';
import { isMapping } from '../../skill/format/index.ts';
import { readState, storePaths, updateState } from '../../skill/places/index.ts';
import { type Grant, readGrants, spellGrant } from './sandbox-grants.ts';

/** A skill as it was when something was granted to it. */
export interface GrantedSkill {
  /** Canonical. */
  readonly dir: string;
  readonly digest: string;
}

const Remembered = z.object({ digest: z.string(), granted: z.array(z.string()) });

/** What has been granted to exactly this skill. Nothing when the memory cannot be read. */
export function recallGrants(home: string, { dir, digest }: GrantedSkill): Grant[] {
  const { state } = readState(storePaths(home).state);
  return [...recalled(state, { dir, digest })];
}

/** Remembers grants on top of those this skill has. E016 when that cannot be written. */
export function rememberGrants(home: string, skill: GrantedSkill, grants: readonly Grant[]): void {
  updateState(storePaths(home).state, (state) => {
    const before = recalled(state, skill);
    const all = [...new Set([...before, ...grants].map(spellGrant))].sort();
    if (all.length === before.length) return undefined;
    const others = isMapping(state.grants) ? state.grants : {};
    return { ...state, grants: { ...others, [skill.dir]: { digest: skill.digest, granted: all } } };
  });
}

/** Takes back everything that was granted to a skill. True when there was something. */
export function revokeGrants(home: string, dir: string): boolean {
  let hadSome = false;
  updateState(storePaths(home).state, (state) => {
    if (!isMapping(state.grants) || !Object.hasOwn(state.grants, dir)) return undefined;
    hadSome = true;
    const { [dir]: _, ...others } = state.grants;
    return { ...state, grants: others };
  });
  return hadSome;
}

function recalled(state: Readonly<Record<string, unknown>>, { dir, digest }: GrantedSkill): readonly Grant[] {
  if (!isMapping(state.grants) || !Object.hasOwn(state.grants, dir)) return [];
  const remembered = Remembered.safeParse(state.grants[dir]).data;
  return remembered?.digest === digest ? readGrants(remembered.granted.join(' ')).grants : [];
}
