// Grants of the user to skills, and the skills the user trusts with tools and hooks. Both are in the user's home, so that a
// project cannot add any, and both depend on the content: an edited skill has none.

import * as z from 'zod';
import { isMapping } from '../../skill/format/index.ts';
import { readState, storeAt, updateState } from '../../skill/workspace/index.ts';
import { type Grant, readGrants, spellGrant } from './sandbox-grants.ts';
import type { SkillGrants } from './skill-access.ts';
import { skillDigest } from './skill-tree.ts';

/** Identity of a skill at the time of a grant. */
interface GrantedVersion {
  /** Canonical. */
  readonly dir: string;
  readonly digest: string;
}

/** A table of the state file, by the directories of skills. */
type Table = 'grants' | 'trusted';

type State = Readonly<Record<string, unknown>>;

const Remembered = z.object({ digest: z.string(), granted: z.array(z.string()) });

/** Grants of exactly this skill; none when the state file cannot be read. */
export function recallGrants(home: string, skill: GrantedVersion): readonly Grant[] {
  return grantsIn(readState(storeAt('user', home).state).state, skill);
}

/** Adds grants to this skill. E016 when they cannot be written. */
export function rememberGrants(home: string, skill: GrantedVersion, grants: readonly Grant[]): void {
  changeEntry(home, 'grants', skill.dir, (state) => {
    const before = grantsIn(state, skill);
    const granted = [...new Set([...before, ...grants].map(spellGrant))].sort();
    return granted.length === before.length
      ? entryIn(state, 'grants', skill.dir)
      : { digest: skill.digest, granted };
  });
}

/** Revokes all grants of a skill. True when it had some. */
export function revokeGrants(home: string, dir: string): boolean {
  return changeEntry(home, 'grants', dir, () => undefined);
}

/** Whether a skill has grants, in this version or another. */
export function hasGrants(home: string, dir: string): boolean {
  return entryIn(readState(storeAt('user', home).state).state, 'grants', dir) !== undefined;
}

/** The digest to trust, over everything that code of the skill can read. */
export function trustDigest({ dir, digest }: Pick<SkillGrants, 'dir' | 'digest'>): string {
  return digest ?? skillDigest(dir);
}

/** Whether the user trusts exactly this skill; false when the state file cannot be read. */
export function isTrusted(home: string, { dir, digest }: GrantedVersion): boolean {
  return entryIn(readState(storeAt('user', home).state).state, 'trusted', dir) === digest;
}

/** Records that the user trusts the current content of a skill. E016 when that cannot be written. */
export function trustSkill(home: string, { dir, digest }: GrantedVersion): void {
  changeEntry(home, 'trusted', dir, () => digest);
}

/** Removes the trust. True when the skill was trusted, in this version or another. */
export function distrustSkill(home: string, dir: string): boolean {
  return changeEntry(home, 'trusted', dir, () => undefined);
}

function grantsIn(state: State, { dir, digest }: GrantedVersion): readonly Grant[] {
  const remembered = Remembered.safeParse(entryIn(state, 'grants', dir)).data;
  return remembered?.digest === digest ? readGrants(remembered.granted.join(' ')).grants : [];
}

function entryIn(state: State, table: Table, dir: string): unknown {
  const known = state[table];
  return isMapping(known) && Object.hasOwn(known, dir) ? known[dir] : undefined;
}

/** Changes the entry of a skill; undefined removes it. True when there was one before. */
function changeEntry(home: string, table: Table, dir: string, change: (state: State) => unknown): boolean {
  let wasThere = false;
  updateState(storeAt('user', home).state, (state) => {
    const before = entryIn(state, table, dir);
    wasThere = before !== undefined;
    const after = change(state);
    if (after === before) return undefined;
    const { [dir]: _, ...others } = isMapping(state[table]) ? state[table] : {};
    return { ...state, [table]: after === undefined ? others : { ...others, [dir]: after } };
  });
  return wasThere;
}
