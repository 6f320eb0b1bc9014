// Writes updates: the files of one skill, and lock-only changes of many.

import { join } from 'node:path';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { ClearedContent } from '../gate/gate.ts';
import { entryOf, type LockedSkill } from '../lock/lock.ts';
import type { ContentCache } from '../place/content-cache.ts';
import type { InstallContext, InstallPlace } from '../place/install-place.ts';
import { checkTargets } from '../place/lock-targets.ts';
import { readProof } from '../place/log-proofs.ts';
import { changePlace } from '../transaction/change-place.ts';
import type { PlannedUpdate } from './plan-update.ts';
import { writeVersions } from './unsettled.ts';

/** A change of one entry that touches no file. */
export interface LockNote {
  readonly name: string;
  readonly place: InstallPlace;
  readonly before: LockedSkill;
  readonly entry: LockedSkill;
  readonly proof?: string | null | undefined;
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
    await changePlace(place, context, async (locked) => {
      const lock = locked.lock();
      const current = its.filter(({ name, before }) => isSame(entryOf(lock, name), before));
      await locked.change(current.map(({ name, entry: after, proof }) => ({ name, after, proof })));
    });
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
    readonly cache: ContentCache;
    readonly content: ClearedContent;
  },
): Promise<string | null> {
  const { place, context, before, cache, content } = work;
  return changePlace(place, context, async (locked) => {
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
  });
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
