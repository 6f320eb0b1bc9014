// The skills of one store: sources, compiled skills and entries of the lock.

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
  readPlaced,
} from '../install/index.ts';

/** One name in a store. */
export interface StoreSkill {
  readonly name: string;
  readonly place: InstallPlace;
  /** Its entry in the lock. */
  readonly entry: LockedSkill | undefined;
  /** How its files differ from the lock; undefined when it is not in the lock, or has no files. */
  readonly drift: FileDrift | undefined;
  /** Canonical directory of the source, in the store or from the manifest; undefined when it does not exist. */
  readonly source: string | undefined;
  /** Path of the source, which may be gone. */
  readonly sourcePath: string;
  /** Whether the source belongs in the store. */
  readonly isStored: boolean;
  readonly runtime: {
    readonly dir: string;
    /** Undefined when there is no build, or skc did not make it. */
    readonly manifest: BuildManifest | undefined;
    /** Absolute paths of its deployments. */
    readonly deployed: readonly string[];
  };
}

/** All skills of a store in bytewise order. E015 when a directory cannot be listed. */
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

/** True for an installed skill whose files differ from the lock. The user must decide about the edits first. */
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
