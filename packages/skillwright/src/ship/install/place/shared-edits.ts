// Edits that belong to the project: the edited files of installed skills, stored next to the lock and committed with it.
// They are copies of the files in the store, written again after every change.

import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt } from '../../../base/diagnostics/index.ts';
import {
  hasExecuteBit,
  isThere,
  joinInside,
  readInside,
  refuseLinks,
  statusAt,
  writeFileAtomic,
} from '../../../base/files/index.ts';
import { entryOf, type Lock } from '../lock/lock.ts';
import type { ContentCache } from './content-cache.ts';
import type { InstallPlace } from './install-place.ts';
import { integrityOf, type SkillFile } from './stored-files.ts';

const anySize = { maxBytes: Number.MAX_SAFE_INTEGER };

/** Directory of a skill's shared edits. */
export function sharedEdits(name: string, { store }: InstallPlace): string {
  return join(store.root, 'edits', name);
}

/** A shared file, unchecked; it is valid only if it has the integrity in the lock. */
export function readSharedEdit(name: string, path: string, place: InstallPlace): SkillFile | undefined {
  const dir = sharedEdits(name, place);
  const bytes = attempt(() => readInside(dir, path, anySize));
  return bytes === undefined ? undefined : { bytes, executable: hasExecuteBit(join(dir, path)) };
}

/** Edits of a skill that the lock names but that are not shared. */
export function unsharedEdits(name: string, lock: Lock, place: InstallPlace): string[] {
  return Object.entries(entryOf(lock, name)?.edits ?? {}).flatMap(([path, integrity]) => {
    if (integrity === null) return [];
    const shared = readSharedEdit(name, path, place);
    return shared !== undefined && integrityOf(shared.bytes) === integrity ? [] : [path];
  });
}

/** Makes the shared edits of a skill match the lock. Idempotent. E016, and E017 for links. */
export function shareEdits(
  name: string,
  lock: Lock,
  { place, cache }: { place: InstallPlace; cache: Pick<ContentCache, 'read'> },
): void {
  const dir = sharedEdits(name, place);
  const edits = entryOf(lock, name)?.edits ?? {};
  const wanted = Object.entries(edits).filter(([, integrity]) => integrity !== null);
  if (wanted.length === 0 && !isThere(dir)) return;
  refuseLinks(place.store.root, dir);
  removeOthers(dir, new Set(wanted.map(([path]) => path)));
  const stored = join(place.store.skills, name);
  for (const path of unsharedEdits(name, lock, place)) {
    const integrity = edits[path]!;
    const own = attempt(() => readInside(stored, path, anySize));
    const isOwn = own !== undefined && integrityOf(own) === integrity;
    const bytes = isOwn ? own : cache.read(integrity);
    if (bytes === undefined) continue;
    const file = joinInside(dir, path);
    refuseLinks(place.store.root, dirname(file));
    const mode = isOwn && hasExecuteBit(join(stored, path)) ? 0o755 : 0o644;
    writeFileAtomic(file, bytes, { mode });
  }
}

/** Removes files that the lock does not name, and directories that become empty. */
function removeOthers(dir: string, wanted: ReadonlySet<string>): void {
  if (statusAt(dir)?.isDirectory() !== true) return;
  for (const name of readdirSync(dir)) removeUnless(dir, name, wanted);
  removeIfEmpty(dir);
}

function removeUnless(dir: string, path: string, wanted: ReadonlySet<string>): void {
  const place = join(dir, path);
  if (statusAt(place)?.isDirectory() === true) {
    for (const name of readdirSync(place)) removeUnless(dir, `${path}/${name}`, wanted);
    removeIfEmpty(place);
  } else if (!wanted.has(path)) rmSync(place);
}

function removeIfEmpty(dir: string): void {
  if (readdirSync(dir).length === 0) rmdirSync(dir);
}
