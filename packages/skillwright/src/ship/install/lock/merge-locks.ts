// Reads the lock to restore, and merges both sides skill by skill if it has conflict markers.

import { join } from 'node:path';
import { attempt, diagnose, makeVisible, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { compareBytes, writeFileAtomic } from '../../../base/files/index.ts';
import type { InstallContext, InstallPlace } from '../place/install-place.ts';
import { withPlaceLocked } from '../transaction/journal.ts';
import {
  entryOf,
  type Lock,
  type LockedSkill,
  parseLock,
  type ReadLock,
  readLock,
  readLockText,
  renderLock,
} from './lock.ts';

/** One side of a merge, as git calls it. */
export type Side = 'ours' | 'theirs';

/** The texts inside a text with conflict markers. */
export interface Sides {
  readonly ours: string;
  readonly theirs: string;
  /** The common ancestor, if the markers include it. */
  readonly base: string | undefined;
}

/** Merged locks. */
interface MergedLocks {
  readonly lock: Lock;
  /** Skills whose entry comes from one side. */
  readonly taken: Readonly<Record<Side, readonly string[]>>;
  /** Skills that both sides changed to the same content, for other agents or at another time. */
  readonly joined: readonly string[];
  /** Skills that both sides changed differently. */
  readonly conflicts: readonly Conflict[];
}

/** A skill with its entries on both sides; undefined where it was removed. */
interface Conflict extends Readonly<Record<Side, LockedSkill | undefined>> {
  readonly name: string;
}

/** Both sides of a text with conflict markers; undefined when it has none, or they are malformed. */
export function splitSides(text: string): Sides | undefined {
  const sides = { ours: [] as string[], theirs: [] as string[], base: [] as string[] };
  let part: Side | 'base' | 'both' = 'both';
  let found = false;
  let hasBase = true;
  let knowsBase = false;
  for (const line of text.split('\n')) {
    const mark = /^(<{7}|\|{7}|={7}|>{7})(?: .*)?\r?$/.exec(line)?.[1]?.[0];
    if (mark === '<' && part === 'both') {
      [part, found, knowsBase] = ['ours', true, false];
    } else if (mark === '|' && part === 'ours') {
      [part, knowsBase] = ['base', true];
    } else if (mark === '=' && (part === 'ours' || part === 'base')) part = 'theirs';
    else if (mark === '>' && part === 'theirs') {
      part = 'both';
      hasBase &&= knowsBase;
    } else if (mark !== undefined) return undefined;
    else
      for (const side of part === 'both' ? (['ours', 'theirs', 'base'] as const) : [part])
        sides[side].push(line);
  }
  if (!found || part !== 'both') return undefined;
  const [ours, theirs, base] = [sides.ours, sides.theirs, sides.base].map((lines) => lines.join('\n'));
  return { ours: ours!, theirs: theirs!, base: hasBase ? base : undefined };
}

/** Parses the sides and merges them skill by skill; `take` decides conflicts. E211 when a side is not a lock. */
export function mergeLocks(
  sides: Sides,
  { path, take }: { path: string; take?: Side | undefined },
): MergedLocks {
  const [ours, theirs] = [parseLock(sides.ours, path), parseLock(sides.theirs, path)];
  // Some marker styles move lines out of the base, which then does not parse.
  const base = sides.base === undefined ? undefined : attempt(() => parseLock(sides.base!, path));
  const taken = { ours: [] as string[], theirs: [] as string[] };
  const joined: string[] = [];
  const conflicts: Conflict[] = [];
  const skills: Record<string, LockedSkill> = {};
  const names = new Set([...Object.keys(ours.skills), ...Object.keys(theirs.skills)]);
  for (const name of [...names].sort(compareBytes)) {
    const [mine, other] = [entryOf(ours, name), entryOf(theirs, name)];
    const known = base === undefined ? undefined : entryOf(base, name);
    const add = (entry: LockedSkill | undefined): void => {
      if (entry !== undefined) skills[name] = entry;
    };
    const takeFrom = (side: Side): void => {
      add(side === 'ours' ? mine : other);
      taken[side].push(name);
    };
    if (isSame(mine, other)) add(mine);
    else if (isSame(other, known)) takeFrom('ours');
    else if (isSame(mine, known)) takeFrom('theirs');
    else {
      const both = mine && other && joinEntries(mine, other);
      if (both !== undefined) {
        add(both);
        joined.push(name);
      } else if (take !== undefined) takeFrom(take);
      else conflicts.push({ name, ours: mine, theirs: other });
    }
  }
  return { lock: { skills }, taken, joined, conflicts };
}

const entryText = (entry: LockedSkill) => renderLock({ skills: { entry } });

const isSame = (a: LockedSkill | undefined, b: LockedSkill | undefined) =>
  a === b || (a !== undefined && b !== undefined && entryText(a) === entryText(b));

/** One entry for the same content on both sides, for the agents of both; undefined when they differ in more. */
function joinEntries(mine: LockedSkill, other: LockedSkill): LockedSkill | undefined {
  const [first, last] = mine.installed_at < other.installed_at ? [mine, other] : [other, mine];
  const methods = new Map(first.targets.map(({ agent, method }) => [agent, method]));
  if (last.targets.some(({ agent, method }) => (methods.get(agent) ?? method) !== method)) return undefined;
  const targets = [...first.targets, ...last.targets.filter(({ agent }) => !methods.has(agent))];
  const { installed_at } = last;
  const [a, b] = [mine, other].map((entry) => ({ ...entry, targets, installed_at }));
  return isSame(a, b) ? a : undefined;
}

/** Options for settling a lock. */
export interface SettleRequest {
  /** Side to take for skills that both sides of a merge changed. */
  readonly take?: Side | undefined;
  readonly dryRun: boolean;
}

/**
 * The lock of a place. If it has conflict markers, both sides are merged and the file is written, except in a dry run:
 * W225 lists the side of each skill, E225 names the skills that both sides changed. E211 when it cannot be used.
 */
export async function settleLock(
  place: InstallPlace,
  request: SettleRequest,
  context: InstallContext,
): Promise<ReadLock> {
  const path = place.store.lock;
  if (sidesOf(path) === undefined) return readLock(path);
  const merge = (): ReadLock => {
    const sides = sidesOf(path);
    // Another process was faster.
    if (sides === undefined) return readLock(path);
    const merged = mergeLocks(sides, { path, take: request.take });
    if (merged.conflicts.length > 0) throw conflictError(merged.conflicts, path);
    const text = renderLock(merged.lock);
    if (!request.dryRun) writeFileAtomic(path, text);
    const help = `'git add ${join('.skillc', 'lock.json')}' marks it as resolved`;
    context.report(
      diagnose(
        'W225',
        { path, what: describeMerge(merged) },
        request.dryRun || place.project === undefined ? {} : { help },
      ),
    );
    return request.dryRun ? { lock: merged.lock, text } : readLock(path);
  };
  return request.dryRun ? merge() : withPlaceLocked(place, context, merge);
}

function sidesOf(path: string): Sides | undefined {
  const text = readLockText(path);
  return text === null ? undefined : splitSides(text);
}

function describeMerge({ taken, joined, lock }: MergedLocks): string {
  const list = (names: readonly string[]) =>
    names.map((name) => (Object.hasOwn(lock.skills, name) ? name : `${name} (removed)`)).join(', ');
  const parts = [
    ...(taken.ours.length === 0 ? [] : [`from yours ${list(taken.ours)}`]),
    ...(taken.theirs.length === 0 ? [] : [`from theirs ${list(taken.theirs)}`]),
    ...(joined.length === 0 ? [] : [`from both ${list(joined)}`]),
  ];
  return parts.length === 0 ? 'both sides are the same' : parts.join('; ');
}

function conflictError(conflicts: readonly Conflict[], path: string): SkillwrightError {
  const names = conflicts.map(({ name }) => name);
  const detail = conflicts
    .map(({ name, ours, theirs }) => `  ${name}: yours ${versionOf(ours)}, theirs ${versionOf(theirs)}`)
    .join('\n');
  const help = `choose with 'skc install --take ours' or 'skc install --take theirs'; everything else is merged`;
  return SkillwrightError.of(
    'E225',
    { path, skills: names.join(', ') },
    { help, detail, data: { skills: names } },
  );
}

function versionOf(entry: LockedSkill | undefined): string {
  if (entry === undefined) return 'removed';
  const { version, commit } = entry.resolution;
  return makeVisible(version ?? commit?.slice(0, 12) ?? entry.digest.slice(7, 19));
}
