// The skills of one store: what is in it, what was compiled from it or for it, and what the lock names.

import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { compareBytes, isMissing, readError, realPath, statusAt } from '../../base/files/index.ts';
import {
  type BuildManifest,
  buildRecord,
  isSkill,
  readBuildManifest,
  readSpelledPath,
} from '../../skill/skill/index.ts';
import {
  compareWithLock,
  entryOf,
  type FileDrift,
  type InstallPlace,
  isIntact,
  type Lock,
  type LockedSkill,
} from '../install/index.ts';
import { readPlaced } from '../install/place/placed-record.ts';

/** One name in a store. */
export interface StoreSkill {
  readonly name: string;
  readonly place: InstallPlace;
  /** Its entry in the lock. */
  readonly entry: LockedSkill | undefined;
  /** How its files differ from the lock; undefined where nothing is locked, or nothing is there. */
  readonly drift: FileDrift | undefined;
  /** Canonical directory of the source, in the store or where the manifest says; undefined when there is none. */
  readonly source: string | undefined;
  /** Where the source is, or was. */
  readonly sourcePath: string;
  /** Whether the source belongs into the store. */
  readonly isStored: boolean;
  readonly runtime: {
    readonly dir: string;
    /** Undefined when nothing is compiled there, or skc did not do it. */
    readonly manifest: BuildManifest | undefined;
    /** Absolute paths that it was deployed to. */
    readonly deployed: readonly string[];
  };
}

/** Every name of a store in bytewise order. E015 when a directory cannot be listed. */
export function listStoreSkills(
  place: InstallPlace,
  { lock, home }: { lock: Lock | undefined; home: string },
): StoreSkill[] {
  const { skills, runtime } = place.store;
  const record = buildRecord(home);
  const placed = readPlaced(place);
  const inStore = listStore(skills).filter((name) => isSkill(join(skills, name)));
  const names = new Set([...inStore, ...listStore(runtime), ...Object.keys(lock?.skills ?? {})]);
  return [...names].sort(compareBytes).map((name) => {
    const dir = join(runtime, name);
    const recorded = record.runtime(dir);
    const manifest = recorded === undefined ? undefined : readBuildManifest(dir);
    const stored = join(skills, name);
    const entry = lock === undefined ? undefined : entryOf(lock, name);
    const written = recorded?.source ?? stored;
    const sourcePath = entry !== undefined || isSkill(stored) ? stored : written;
    return {
      name,
      place,
      entry,
      drift:
        entry === undefined || statusAt(stored) === undefined
          ? undefined
          : compareWithLock(stored, entry, entryOf(placed, name)),
      sourcePath,
      source: isSkill(sourcePath) ? realpathSync.native(sourcePath) : undefined,
      isStored: sourcePath === stored || sourcePath.startsWith(join(realPath(skills), '/')),
      runtime: {
        dir,
        manifest,
        deployed: (manifest?.deployed ?? []).map((spelled) => readSpelledPath(spelled, dir, home)),
      },
    };
  });
}

/** True for an installed skill whose files are not those of the lock: whose work that is has to be settled first. */
export function isDrifted({ drift }: StoreSkill): boolean {
  return drift !== undefined && !isIntact(drift);
}

function listStore(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => !name.startsWith('.'));
  } catch (error) {
    if (isMissing(error)) return [];
    throw readError(directory, error);
  }
}
