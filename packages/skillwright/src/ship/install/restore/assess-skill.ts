// Finds out what a place needs to match its lock: what to restore, and what is left of an earlier lock.

import { join } from 'node:path';
import { isThere, statusAt } from '../../../base/files/index.ts';
import { entryOf, type Lock, type LockedSkill } from '../lock/lock.ts';
import type { InstallContext, InstallPlace } from '../place/install-place.ts';
import { listBeside } from '../place/stored-files.ts';
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

/** A skill that skc installed here under an earlier lock and that the lock no longer names. */
export interface LeftBehind {
  readonly name: string;
  readonly dir: string;
  /** Whether removing it would lose edits. */
  readonly isEdited: boolean;
}

/** Skills of the record that the lock does not name. */
export function findLeft(lock: Lock, placed: Lock, { store }: InstallPlace): LeftBehind[] {
  return Object.entries(placed.skills).flatMap(([name, entry]) => {
    const dir = join(store.skills, name);
    if (entryOf(lock, name) !== undefined) return [];
    const status = statusAt(dir);
    const isEdited = status !== undefined && (!status.isDirectory() || hasEdits(dir, entry));
    return [{ name, dir, isEdited }];
  });
}

function hasEdits(dir: string, entry: LockedSkill): boolean {
  const { modified, extra } = compareWithLock(dir, entry, entry);
  return modified.length + extra.length + listBeside(dir).length > 0;
}
