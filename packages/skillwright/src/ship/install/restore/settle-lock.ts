// Reads the lock to restore, and merges it skill by skill if it has conflict markers.

import { join } from 'node:path';
import { diagnose, makeVisible, SkillwrightError } from '../../../base/diagnostics/index.ts';
import { writeFileAtomic } from '../../../base/files/index.ts';
import {
  type LockedSkill,
  parseLock,
  type ReadLock,
  readLock,
  readLockText,
  renderLock,
} from '../lock/lock.ts';
import { type MergedLocks, mergeLocks, type Side, type Sides, splitSides } from '../lock/merge-locks.ts';
import type { InstallContext, InstallPlace } from '../place/install-place.ts';
import { withPlaceLocked } from '../transaction/place-lock.ts';

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
    if (merged.conflicts.length > 0) throw conflictError(merged.conflicts, { sides, place });
    const text = renderLock(merged.lock);
    if (!request.dryRun) writeFileAtomic(path, text);
    const help = `'git add ${join('.skillc', 'lock.json')}' marks it as resolved`;
    context.report(
      diagnose(
        'W225',
        { path, what: describe(merged) },
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

function describe({ taken, joined, lock }: MergedLocks): string {
  const list = (names: readonly string[]) =>
    names.map((name) => (Object.hasOwn(lock.skills, name) ? name : `${name} (removed)`)).join(', ');
  const parts = [
    ...(taken.ours.length === 0 ? [] : [`from yours ${list(taken.ours)}`]),
    ...(taken.theirs.length === 0 ? [] : [`from theirs ${list(taken.theirs)}`]),
    ...(joined.length === 0 ? [] : [`from both ${list(joined)}`]),
  ];
  return parts.length === 0 ? 'both sides are the same' : parts.join('; ');
}

function conflictError(
  names: readonly string[],
  { sides, place }: { sides: Sides; place: InstallPlace },
): SkillwrightError {
  const path = place.store.lock;
  const [ours, theirs] = [parseLock(sides.ours, path).skills, parseLock(sides.theirs, path).skills];
  const detail = names
    .map((name) => `  ${name}: yours ${versionOf(ours[name])}, theirs ${versionOf(theirs[name])}`)
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
