// Grants of the user to skills. They are in the user's home: a project cannot add any, and an edited skill has none.

import * as z from 'zod';
import { isMapping } from '../../skill/format/index.ts';
import { readState, storeAt, updateState } from '../../skill/workspace/index.ts';
import { type Grant, readGrants, spellGrant } from './sandbox-grants.ts';

/** Identity of a skill at the time of a grant. */
export interface GrantedVersion {
  /** Canonical. */
  readonly dir: string;
  readonly digest: string;
}

const Remembered = z.object({ digest: z.string(), granted: z.array(z.string()) });

/** Grants of exactly this skill; none when the state file cannot be read. */
export function recallGrants(home: string, { dir, digest }: GrantedVersion): readonly Grant[] {
  const { state } = readState(storeAt('user', home).state);
  return recalled(state, { dir, digest });
}

/** Adds grants to this skill. E016 when they cannot be written. */
export function rememberGrants(home: string, skill: GrantedVersion, grants: readonly Grant[]): void {
  updateState(storeAt('user', home).state, (state) => {
    const before = recalled(state, skill);
    const all = [...new Set([...before, ...grants].map(spellGrant))].sort();
    if (all.length === before.length) return undefined;
    const others = isMapping(state.grants) ? state.grants : {};
    return { ...state, grants: { ...others, [skill.dir]: { digest: skill.digest, granted: all } } };
  });
}

/** Revokes all grants of a skill. True when it had some. */
export function revokeGrants(home: string, dir: string): boolean {
  return forgetSkill(home, 'grants', dir);
}

/** Removes a skill from a table of the state file. True when it was in it. */
export function forgetSkill(home: string, table: 'grants' | 'trusted', dir: string): boolean {
  let wasThere = false;
  updateState(storeAt('user', home).state, (state) => {
    const known = state[table];
    if (!isMapping(known) || !Object.hasOwn(known, dir)) return undefined;
    wasThere = true;
    const { [dir]: _, ...others } = known;
    return { ...state, [table]: others };
  });
  return wasThere;
}

/** Whether a table of the state file has an entry for a skill, in this version or another. */
export function isRemembered(home: string, table: 'grants' | 'trusted', dir: string): boolean {
  const known = readState(storeAt('user', home).state).state[table];
  return isMapping(known) && Object.hasOwn(known, dir);
}

function recalled(
  state: Readonly<Record<string, unknown>>,
  { dir, digest }: GrantedVersion,
): readonly Grant[] {
  if (!isMapping(state.grants) || !Object.hasOwn(state.grants, dir)) return [];
  const remembered = Remembered.safeParse(state.grants[dir]).data;
  return remembered?.digest === digest ? readGrants(remembered.granted.join(' ')).grants : [];
}
