// Writes planned skills into the store, the lock and the cache, all at once.

import { join } from 'node:path';
import { isThere } from '../../../base/files/index.ts';
import type { ClearedContent } from '../gate/gate.ts';
import { entryOf, type LockedSkill } from '../lock/lock.ts';
import { openContentCache } from '../place/content-cache.ts';
import { checkTargets, joinTargets } from '../place/lock-targets.ts';
import { proofAfter } from '../place/log-proofs.ts';
import { isSameContent, readPlaced } from '../place/placed-record.ts';
import type { Changed, LockedPlace, SkillChangeRequest } from '../transaction/change-place.ts';
import { compareWithLock, type FileDrift, isIntact } from '../verify/compare-with-lock.ts';
import { editedError } from './edited-error.ts';
import { type InstallPlan, type InstallWork, isSameOrigin, settleConflict } from './plan-skill.ts';

/** Written skills: their lock entries by name, their deployments and backups. */
interface WrittenPlans extends Changed {
  readonly skills: Readonly<Record<string, LockedSkill>>;
}

/** Writes all plans or none. E013 and E212 when something is now in the way. */
export async function writePlans(
  plans: readonly InstallPlan[],
  work: InstallWork & { locked: LockedPlace; cleared: ReadonlyMap<string, ClearedContent> },
): Promise<WrittenPlans> {
  const { locked, place, request, context, cleared } = work;
  // Another process may have been faster: the user's consent must still apply.
  const lock = locked.lock();
  const cache = openContentCache(context.workspace);
  const skills = { ...lock.skills };
  const placed = readPlaced(place);
  const changes = plans.map(({ name, entry, proof: fetched }): SkillChangeRequest => {
    const content = cleared.get(name)!;
    const { keep } = settleConflict(name, entry, { ...work, lock });
    const known = entryOf(lock, name);
    const isSame = isSameOrigin(known, entry);
    const versions = { before: isSame ? known?.resolution : undefined, after: entry.resolution };
    const proof = proofAfter(fetched, versions);
    const targets = joinTargets(isSame ? known!.targets : [], entry.targets);
    checkTargets(name, targets, { place, context, force: request.force });
    const dir = join(place.store.skills, name);
    const drift =
      isSame && known!.digest === entry.digest && isThere(dir)
        ? compareWithLock(dir, known!, entryOf(placed, name))
        : undefined;
    const stays =
      drift !== undefined &&
      !request.force &&
      (isIntact(drift) || drift.modified.length + drift.extra.length > 0);
    if (!request.force && known?.digest === entry.digest)
      checkEdits(name, known, { drift, stays, placed: entryOf(placed, name) });
    skills[name] = {
      ...entry,
      targets,
      accepted: [...content.accepted],
      pinned: entry.pinned || (isSame && known!.pinned),
      ...(stays ? { edits: known!.edits, installed_at: known!.installed_at } : {}),
    };
    if (stays) return { name, stays: content, keep: false, proof };
    cache.remember(content);
    return { name, keep, content, proof };
  });
  const changed = await locked.change({ skills: changes, lock: { skills }, force: request.force });
  return { ...changed, skills };
}

/** E212 when writing the source's version would lose edits of the project or of this machine. */
function checkEdits(
  name: string,
  known: LockedSkill,
  {
    drift,
    stays,
    placed = known,
  }: { drift: FileDrift | undefined; stays: boolean; placed: LockedSkill | undefined },
): void {
  const { edits } = known;
  // The edits are based on an earlier lock and must not count as edits of this one.
  if (stays && !isIntact(drift!) && !isSameContent(placed, known))
    throw editedError(name, [...drift!.modified, ...drift!.extra], `'skc update ${name}' keeps your edits`);
  if (!stays && Object.keys(edits).length > 0)
    throw editedError(name, Object.keys(edits), "'skc install' restores it with the project's edits");
}
