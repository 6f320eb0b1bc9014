// Records what skc last wrote into a place on this machine: the lock entry of each skill at that time. After a pull the
// lock is another, and the record tells a copy that is merely behind from an edited one. It is in the user's home
// directory, where no project can write.

import { join } from 'node:path';
import { orUndefined } from '../../../base/diagnostics/index.ts';
import { readRegularFile, realPathAhead, sha256, writeFileAtomic } from '../../../base/files/index.ts';
import { storeAt } from '../../../skill/workspace/index.ts';
import { entryOf, type Lock, type LockedSkill, parseLock, renderLock } from '../lock/lock.ts';
import type { InstallPlace } from './install-place.ts';

const MAX_RECORD_BYTES = 64 * 1024 * 1024;

function recordOf({ home, store }: InstallPlace): string {
  const key = sha256(realPathAhead(store.skills)).slice(0, 32);
  return join(storeAt('user', home).root, 'placed', `${key}.json`);
}

/** The entries that skc last wrote into a place. An unreadable record is empty, which is the safe answer. */
export function readPlaced(place: InstallPlace): Lock {
  const path = recordOf(place);
  const read = orUndefined(() => {
    const bytes = readRegularFile(path, { maxBytes: MAX_RECORD_BYTES });
    return bytes === undefined ? undefined : parseLock(bytes.toString('utf8'), path);
  });
  return read ?? { skills: {} };
}

/** Records that skills now match the lock, or are gone if it does not name them. E016. */
export function recordPlaced(
  place: InstallPlace,
  names: readonly string[],
  { now, placed }: { readonly now: Lock; readonly placed: Lock },
): void {
  if (names.length === 0) return;
  const skills: Record<string, LockedSkill> = { ...placed.skills };
  for (const name of names) {
    const entry = entryOf(now, name);
    if (entry === undefined) delete skills[name];
    else skills[name] = entry;
  }
  const text = renderLock({ skills });
  if (text !== renderLock(placed)) writeFileAtomic(recordOf(place), text);
}

/** The integrity of a file in an entry, including the project's edits; undefined when there is no such file. */
export function contentOf({ files, edits }: LockedSkill, path: string): string | undefined {
  if (Object.hasOwn(edits, path)) return edits[path] ?? undefined;
  return Object.hasOwn(files, path) ? files[path] : undefined;
}

/** Whether two entries have the same files, including the project's edits. */
export function isSameContent(a: LockedSkill, b: LockedSkill): boolean {
  const paths = new Set([a, b].flatMap(({ files, edits }) => [...Object.keys(files), ...Object.keys(edits)]));
  return [...paths].every(
    (path) =>
      contentOf(a, path) === contentOf(b, path) &&
      a.executable.includes(path) === b.executable.includes(path),
  );
}
