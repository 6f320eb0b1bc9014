// Writing planned skills: into the store, the lock, the cache, all at once.

import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { type ContentCache, openContentCache } from './cache.ts';
import type { FetchedSkill } from './fetched-source.ts';
import { entryOf } from './install-derive.ts';
import { describeFiles, readSkillFiles, writeSkillFiles } from './install-files.ts';
import { type InstallPlan, type InstallWork, isSameOrigin, settleConflict } from './install-plan.ts';
import { isThere } from './install-status.ts';
import { checkTargets, joinTargets } from './install-targets.ts';
import { digestOf, type LockedSkill } from './lock.ts';
import type { Changed, LockedPlace, SkillChangeRequest } from './transaction.ts';
import { compareFiles, isIntact } from './verify-files.ts';

/** What was written: the entries of the lock by name, where skills went, and what is kept. */
export interface WrittenPlans extends Changed {
  readonly skills: Readonly<Record<string, LockedSkill>>;
}

/** Writes all plans or none. E013 and E212 when something stands in the way by now. */
export function writePlans(
  plans: readonly InstallPlan[],
  work: InstallWork & { locked: LockedPlace },
): WrittenPlans {
  const { locked, place, request, context } = work;
  // Somebody else may have been faster: what was agreed to must still be what happens.
  const lock = locked.lock();
  const cache = openContentCache(place.home);
  const skills = { ...lock.skills };
  const changes = plans.map(({ name, skill, entry }): SkillChangeRequest => {
    const { keep } = settleConflict(name, entry, { ...work, lock });
    const known = entryOf(lock, name);
    const isSame = isSameOrigin(known, entry);
    const targets = joinTargets(isSame ? known!.targets : [], entry.targets);
    checkTargets(name, targets, { place, context, force: request.force });
    const dir = join(place.store.skills, name);
    const drift =
      isSame && known!.digest === entry.digest && isThere(dir) ? compareFiles(dir, known!) : undefined;
    const stays =
      drift !== undefined &&
      !request.force &&
      (isIntact(drift) || drift.modified.length + drift.extra.length > 0);
    skills[name] = {
      ...entry,
      targets,
      pinned: entry.pinned || (isSame && known!.pinned),
      ...(stays ? { edits: known!.edits, installed_at: known!.installed_at } : {}),
    };
    if (stays) return { name, stays: true, keep: false };
    return { name, keep, fill: (staged) => fillFrom(skill, { staged, entry, cache }) };
  });
  const changed = locked.change({ skills: changes, lock: { skills }, force: request.force });
  return { ...changed, skills };
}

/** Copies a fetched skill. E204 when it is no longer what was looked at. */
function fillFrom(
  skill: FetchedSkill,
  { staged, entry, cache }: { staged: string; entry: LockedSkill; cache: ContentCache },
): void {
  const files = readSkillFiles(skill.dir);
  if (digestOf(describeFiles(files).files) !== entry.digest)
    throw SkillwrightError.of('E204', { what: skill.name });
  for (const { bytes } of files.values()) cache.write(bytes);
  writeSkillFiles(staged, files);
}
