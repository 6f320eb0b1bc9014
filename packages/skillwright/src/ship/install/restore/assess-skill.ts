// Finds out what an installed skill needs to match the lock.

import { join } from 'node:path';
import { isThere } from '../../../base/files/index.ts';
import { entryOf, type Lock, type LockedSkill } from '../lock/lock.ts';
import type { InstallContext, InstallPlace } from '../place/install-place.ts';
import { checkDeployments, checkRuntime } from '../verify/check-deployments.ts';
import { compareWithLock, type FileDrift, isIntact } from '../verify/compare-with-lock.ts';

/** Damage to an installed skill: none, only its derived files, or the files themselves. */
export type Assessment =
  | { readonly kind: 'right' }
  | { readonly kind: 'links' }
  | { readonly kind: 'files'; readonly drift: FileDrift | undefined };

/** Checks an installed skill. */
export function assessSkill(
  name: string,
  entry: LockedSkill,
  { place, context, placed }: { place: InstallPlace; context: InstallContext; placed: Lock },
): Assessment {
  const dir = join(place.store.skills, name);
  if (!isThere(dir)) return { kind: 'files', drift: undefined };
  const drift = compareWithLock(dir, entry, entryOf(placed, name));
  if (!isIntact(drift)) return { kind: 'files', drift };
  const isRight =
    checkRuntime(name, drift.sourceHash, place) === 'ok' &&
    checkDeployments(name, entry, { place, context }).every(({ state }) => state === 'ok');
  return { kind: isRight ? 'right' : 'links' };
}

/** The action that restores it. */
export const restoredStatus = { right: 'unchanged', links: 'linked', files: 'restored' } as const;
