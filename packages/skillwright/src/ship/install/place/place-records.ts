// Records besides the skills of a place: what skc last wrote there, proofs of registries, and edits of the project.

import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { attempt, orUndefined } from '../../../base/diagnostics/index.ts';
import {
  hasExecuteBit,
  isThere,
  joinInside,
  readInside,
  readRegularFile,
  realPathAhead,
  refuseLinks,
  removeIfEmpty,
  removePath,
  sha256,
  statusAt,
  writeFileAtomic,
} from '../../../base/files/index.ts';
import { storeAt } from '../../../skill/workspace/index.ts';
import { entryOf, type Lock, type LockedSkill, parseLock, renderLock } from '../lock/lock.ts';
import type { Resolution } from '../source/fetched-source.ts';
import type { ContentCache } from './content-cache.ts';
import type { InstallPlace } from './install-place.ts';
import { integrityOf, type SkillFile } from './stored-files.ts';

const MAX_RECORD_BYTES = 64 * 1024 * 1024;

function recordOf({ home, store }: InstallPlace): string {
  const key = sha256(realPathAhead(store.skills)).slice(0, 32);
  return join(storeAt('user', home).root, 'placed', `${key}.json`);
}

/**
 * The entries that skc last wrote into a place. After a pull the lock is another, and this tells a copy that is merely
 * behind from an edited one. It is in the user's home directory, where no project can write. An unreadable record is
 * empty, which is the safe answer.
 */
export function readPlaced(place: InstallPlace): Lock {
  const path = recordOf(place);
  const read = orUndefined(() => {
    const bytes = readRegularFile(path, { maxBytes: MAX_RECORD_BYTES });
    return bytes === undefined ? undefined : parseLock(bytes.toString('utf8'), path);
  });
  return read ?? { skills: {} };
}

/** Records that skills now match the lock, or are gone if it does not name them, and returns the record. E016. */
export function recordPlaced(
  place: InstallPlace,
  names: readonly string[],
  { now, placed }: { readonly now: Lock; readonly placed: Lock },
): Lock {
  if (names.length === 0) return placed;
  const skills: Record<string, LockedSkill> = { ...placed.skills };
  for (const name of names) {
    const entry = entryOf(now, name);
    if (entry === undefined) delete skills[name];
    else skills[name] = entry;
  }
  const text = renderLock({ skills });
  if (text !== renderLock(placed)) writeFileAtomic(recordOf(place), text);
  return { skills };
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

/** Largest proof. */
export const MAX_PROOF_BYTES = 256 * 1024;

/** The file of a skill's proof. */
function proofPath(name: string, { store }: Pick<InstallPlace, 'store'>): string {
  return join(store.root, 'proofs', `${name}.txt`);
}

/** The kept proof of a skill, unchecked; null when there is none. */
export function readProof(name: string, place: Pick<InstallPlace, 'store'>): string | null {
  const path = proofPath(name, place);
  const bytes = orUndefined(() => {
    refuseLinks(place.store.root, path);
    return readRegularFile(path, { maxBytes: MAX_PROOF_BYTES });
  });
  return bytes?.toString('utf8') ?? null;
}

/** The proof to keep for a version: a new one, the present one (undefined) if the version stays, or none. */
export function proofAfter(
  fetched: string | undefined,
  { before, after }: { readonly before: Resolution | undefined; readonly after: Resolution },
): string | null | undefined {
  if (fetched !== undefined) return fetched;
  const isSame = before?.document !== undefined && before.document === after.document;
  return isSame ? undefined : null;
}

/** Writes or removes the proof of a skill. Idempotent. E016, and E017 for links. */
export function keepProof(name: string, text: string | null, place: Pick<InstallPlace, 'store'>): void {
  if (readProof(name, place) === text) return;
  const path = proofPath(name, place);
  refuseLinks(place.store.root, path);
  if (text !== null) {
    writeFileAtomic(path, text);
    return;
  }
  removePath(path, { force: true });
  removeIfEmpty(dirname(path));
}

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
function removeOthers(dir: string, wanted: ReadonlySet<string>, path = ''): void {
  const place = join(dir, path);
  if (statusAt(place)?.isDirectory() === true) {
    for (const name of readdirSync(place)) removeOthers(dir, wanted, path === '' ? name : `${path}/${name}`);
    removeIfEmpty(place);
  } else if (path !== '' && !wanted.has(path)) removePath(place);
}
