// skc verify: what is installed against what was locked.

import { join } from 'node:path';
import { isThere } from '../../base/files/index.ts';
import type { StoreScope } from '../../skill/workspace/index.ts';
import type { Acceptance } from './lock/acceptance.ts';
import { readLock } from './lock/lock.ts';
import type { InstallContext } from './place/install-place.ts';
import { type FoundSkill, findInstalled } from './plan/find-installed.ts';
import { diagnoseNotice, readNews } from './source/source-news.ts';
import { hasJournal } from './transaction/journal.ts';
import { type CheckedDeployment, checkDeployments, checkRuntime } from './verify/check-deployments.ts';
import { compareWithLock, type FileDrift, isIntact } from './verify/compare-with-lock.ts';
import { isHeld } from './verify/held-acceptance.ts';

/** How one installed skill stands. */
export interface VerifiedSkill extends Omit<FileDrift, 'sourceHash'> {
  readonly name: string;
  readonly scope: StoreScope;
  /** Whether nothing differs from the lock but edits that an update kept, and agents find it. */
  readonly ok: boolean;
  /** False when the whole directory is gone. */
  readonly present: boolean;
  readonly runtime: 'ok' | 'missing' | 'stale';
  readonly deployments: readonly CheckedDeployment[];
  /** Findings of the scan that somebody accepted, and whether the file is still the one they looked at. */
  readonly accepted: readonly (Acceptance & { readonly holds: boolean })[];
}

/** Compares installed skills with the lock: of the project and of the user, unless a scope is given. */
export async function verifySkills(
  request: { readonly skills: readonly string[]; readonly scope?: StoreScope | undefined },
  context: InstallContext,
): Promise<VerifiedSkill[]> {
  for (let attempt = 1; ; attempt++) {
    const found = await findInstalled({ ...request, everywhere: true }, context);
    const verified = found.map((skill) => verifyOne(skill, context));
    // Somebody changed it while it was looked at: what was seen may be of two moments.
    if (attempt < 3 && !found.every(isSettled)) continue;
    reportNews(found, context);
    return verified;
  }
}

/** W224 for what was said against installed skills when their sources were last asked. */
function reportNews(found: readonly FoundSkill[], { workspace, report }: InstallContext): void {
  const news = readNews(workspace);
  for (const { name, place, entry } of found)
    for (const notice of news.of({ lock: place.store.lock, name, entry })?.notices ?? [])
      report(diagnoseNotice(name, notice));
}

function isSettled({ name, place, entry }: FoundSkill): boolean {
  if (hasJournal(place)) return false;
  return readLock(place.store.lock).lock.skills[name]?.digest === entry.digest;
}

function verifyOne({ name, place, entry }: FoundSkill, context: InstallContext): VerifiedSkill {
  const dir = join(place.store.skills, name);
  const present = isThere(dir);
  const { sourceHash, ...drift } = present
    ? compareWithLock(dir, entry)
    : { modified: [], missing: Object.keys(entry.files), extra: [], edited: [], sourceHash: '' };
  const runtime = checkRuntime(name, sourceHash, place);
  const deployments = checkDeployments(name, entry, { place, context });
  const ok = isIntact(drift) && runtime !== 'missing' && deployments.every(({ state }) => state === 'ok');
  const accepted = entry.accepted.map((one) => ({ ...one, holds: present && isHeld(dir, one) }));
  return { name, scope: place.scope, ok, present, ...drift, runtime, deployments, accepted };
}
