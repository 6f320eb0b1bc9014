// Skills that skc installed here under an earlier lock and that the lock no longer names.

import { join } from 'node:path';
import { statusAt } from '../../../base/files/index.ts';
import { entryOf, type Lock, type LockedSkill } from '../lock/lock.ts';
import type { InstallPlace } from '../place/install-place.ts';
import { listBeside } from '../place/stored-files.ts';
import { compareWithLock } from '../verify/compare-with-lock.ts';

/** A skill that was left behind. */
export interface LeftSkill {
  readonly name: string;
  readonly dir: string;
  /** Whether removing it would lose edits. */
  readonly isEdited: boolean;
}

/** Skills of the record that the lock does not name. */
export function findLeft(lock: Lock, placed: Lock, { store }: InstallPlace): LeftSkill[] {
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
