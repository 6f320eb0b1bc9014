// Writes updates: the files of one skill, and lock-only changes of many.

import { join } from 'node:path';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { ClearedContent } from '../gate/gate.ts';
import { entryOf, type LockedSkill, type ReadLock } from '../lock/lock.ts';
import type { InstallContext, InstallPlace } from '../place/install-place.ts';
import { checkTargets } from '../place/lock-targets.ts';
import { readProof } from '../place/log-proofs.ts';
import { changePlace, type LockedPlace } from '../transaction/change-place.ts';
import type { PlannedUpdate } from './plan-update.ts';
import { writeVersions } from './unsettled.ts';

/** A change of one entry that touches no file. */
export interface LockNote {
  readonly name: string;
  readonly place: InstallPlace;
  readonly before: LockedSkill;
  readonly entry: LockedSkill;
  readonly proof?: string | null | undefined;
  /** The lock in which it was found. */
  readonly read: ReadLock;
}

/** Whether an update changes only the source's facts in the lock. */
export function isOnlyNoted({ entry, isRewritten, changed }: PlannedUpdate, before: LockedSkill): boolean {
  return !isRewritten && changed.length === 0 && isSame(entry.edits, before.edits);
}

/** Writes lock-only changes, one transaction per place. An entry that another process has changed is kept. */
export async function writeNotes(notes: readonly LockNote[], context: InstallContext): Promise<void> {
  for (const [place, its] of Map.groupBy(
    notes.filter(
      ({ name, place, before, entry, proof }) =>
        !isSame(before, entry) || (proof != null && readProof(name, place) === null),
    ),
    (note) => note.place,
  )) {
    const work = (locked: LockedPlace) => {
      const lock = locked.lock();
      const current = its.filter(({ name, before }) => isSame(entryOf(lock, name), before));
      return locked.change(current.map(({ name, entry: after, proof }) => ({ name, after, proof })));
    };
    await changePlace(place, context, { read: its[0]!.read, work });
  }
}

/** Writes one update; returns the backup of replaced edits. E216 when the skill has changed meanwhile. */
export function writeUpdate(
  name: string,
  plan: PlannedUpdate,
  work: {
    readonly place: InstallPlace;
    readonly context: InstallContext;
    readonly before: LockedSkill;
    readonly content: ClearedContent;
    readonly read: ReadLock;
  },
): Promise<string | null> {
  const { place, context, before, content, read } = work;
  const write = async (locked: LockedPlace) => {
    const lock = locked.lock();
    // The merge is valid only for the files it was made from.
    if (!isSame(entryOf(lock, name), before) || !plan.isStillRight())
      throw SkillwrightError.of('E216', { path: join(place.store.skills, name) });
    checkTargets(name, before.targets, { place, context, force: false });
    writeVersions(name, plan.unsettled, place);
    const { entry: after, proof, losesEdits: keep, theirs: origin } = plan;
    const { backups } = await locked.change([
      plan.isRewritten
        ? { name, after, content, origin, keep, takesBeside: true, proof }
        : { name, after, stays: content, origin, proof },
    ]);
    return backups.get(name) ?? null;
  };
  return changePlace(place, context, { read, work: write });
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
