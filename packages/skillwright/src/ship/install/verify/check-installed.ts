// Compares an installed skill with the lock: its files, its compiled form, and the links and copies for agents.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, SkillwrightError } from '../../../base/diagnostics/index.ts';
import {
  compareBytes,
  type HashedFile,
  hasExecuteBit,
  hashTree,
  isThere,
  readInside,
  realPath,
  statusAt,
  walkTree,
} from '../../../base/files/index.ts';
import { isCurrentCopy, isDeploymentOf, isPristineCopy } from '../../../make/compile/index.ts';
import { indexPath, isOwnIndex } from '../../../read/index/index.ts';
import { buildRecord, hasSkillFile, readBuildManifest } from '../../../skill/skill/index.ts';
import { OWN_DIRECTORY, readWithdrawn, storeAt } from '../../../skill/workspace/index.ts';
import type { VerifyOutcome } from '../../results/index.ts';
import { type Acceptance, entryOf, type Lock, type LockedSkill } from '../lock/lock.ts';
import { type InstallPlace, type PlacedTarget, runtimeOf } from '../place/install-place.ts';
import { contentOf } from '../place/place-records.ts';
import { describeFiles, integrityOf, listBeside, readSkillFiles } from '../place/stored-files.ts';
import type { Installed } from '../plan/find-installed.ts';

/** Differences from the installed files. Every list is in bytewise order. */
export interface FileDrift {
  readonly modified: string[];
  readonly missing: string[];
  readonly extra: string[];
  /** Edits that an update has kept: known, so not drift. */
  readonly edited: string[];
  /** Files as skc wrote them under an earlier lock: not edits, and replaced without asking. */
  readonly behind: string[];
  /** The hash that a build of these files would record. */
  readonly sourceHash: string;
}

/** True when only known edits differ. */
export function isIntact({
  modified,
  missing,
  extra,
  behind,
}: Pick<FileDrift, 'modified' | 'missing' | 'extra' | 'behind'>): boolean {
  return modified.length + missing.length + extra.length + behind.length === 0;
}

/**
 * Compares the skill in `dir` with its entry, and with the entry that skc last wrote there. Total: an unreadable file
 * counts as modified.
 */
export function compareWithLock(
  dir: string,
  entry: LockedSkill,
  placed: LockedSkill | undefined = { ...entry, edits: {} },
): FileDrift {
  const drift = {
    modified: [] as string[],
    missing: [] as string[],
    extra: [] as string[],
    edited: [] as string[],
    behind: [] as string[],
  };
  const seen = new Set<string>();
  const hashed: HashedFile[] = [];
  const { entries, truncated } = walkTree(dir);
  for (const { path, kind } of entries) {
    if (kind === 'directory') continue;
    seen.add(path);
    const integrity = kind === 'file' ? hashInside(dir, path) : undefined;
    if (integrity !== undefined) hashed.push({ path, sha256: integrity.slice(7) });
    const locked = Object.hasOwn(entry.files, path) ? entry.files[path] : undefined;
    const isEdit = Object.hasOwn(entry.edits, path);
    if (integrity !== undefined && integrity === contentOf(entry, path)) {
      if (isEdit) drift.edited.push(path);
      else if (!hasMode(dir, path, entry))
        (contentOf(placed, path) !== undefined && hasMode(dir, path, placed)
          ? drift.behind
          : drift.modified
        ).push(path);
    } else if (integrity !== undefined && integrity === contentOf(placed, path)) drift.behind.push(path);
    else if (path !== '') (locked === undefined && !isEdit ? drift.extra : drift.modified).push(path);
  }
  for (const path of new Set([...Object.keys(entry.files), ...Object.keys(entry.edits)])) {
    if (seen.has(path)) continue;
    (contentOf(entry, path) === undefined ? drift.edited : drift.missing).push(path);
  }
  if (truncated) drift.extra.push('…');
  for (const list of Object.values(drift)) list.sort(compareBytes);
  return { ...drift, sourceHash: hashTree(hashed) };
}

function hasMode(dir: string, path: string, { executable }: LockedSkill): boolean {
  return process.platform === 'win32' || hasExecuteBit(join(dir, path)) === executable.includes(path);
}

function hashInside(dir: string, path: string): string | undefined {
  const bytes = attempt(() => readInside(dir, path, { maxBytes: Number.MAX_SAFE_INTEGER }));
  return bytes === undefined ? undefined : integrityOf(bytes);
}

/** True while the file of the skill in `dir`, or for the file `.` the whole skill, has the accepted content. */
export function isHeld(dir: string, { file, digest }: Pick<Acceptance, 'file' | 'digest'>): boolean {
  const found = attempt(() => {
    if (file === '.') return describeFiles(readSkillFiles(dir)).digest;
    const bytes = readInside(dir, file, { maxBytes: Number.MAX_SAFE_INTEGER });
    return bytes === undefined ? undefined : integrityOf(bytes);
  });
  return found === digest;
}

/**
 * One deployment of an installed skill. Its state is `missing`; `broken` for a link that leads nowhere; `foreign` for
 * another skill's link or a directory skc did not make; `changed` for our copy, but not of the current compiled form, or a
 * copy where a link should be; `unusable` for a target that cannot be used here.
 */
export type CheckedDeployment = Verified['deployments'][number];

type DeploymentState = CheckedDeployment['state'];

type Verified = VerifyOutcome['skills'][number];

/** Every deployment the lock names. Total. */
export function checkDeployments(
  name: string,
  entry: Pick<LockedSkill, 'targets'>,
  place: InstallPlace,
): CheckedDeployment[] {
  // Agents do not get a skill that is switched off or denied.
  const withdrawn = new Set(Object.values(readWithdrawn(storeAt('user', place.home))).flat());
  return entry.targets.flatMap((target): CheckedDeployment[] => {
    try {
      const placedAt = place.targets([target]).filter(({ dir }) => !withdrawn.has(join(dir, name)));
      return placedAt.map((placed) => ({
        agent: target.agent,
        method: target.method,
        path: join(placed.dir, name),
        state: deploymentState(placed, name, place),
      }));
    } catch (error) {
      if (error instanceof SkillwrightError) return [{ ...target, path: null, state: 'unusable' }];
      throw error;
    }
  });
}

/** Status of the compiled form: `stale` if made from other files, `damaged` if its stub or index was changed. */
type RuntimeState = Verified['runtime'];

/** Checks that the compiled form exists, is as skc wrote it, and was made from files with this hash. */
export function checkRuntime(name: string, sourceHash: string, place: InstallPlace): RuntimeState {
  const runtime = runtimeOf(name, place);
  const record = buildRecord(place.home);
  const isOurs = record.runtime(runtime.dir) !== undefined;
  const manifest = isOurs ? readBuildManifest(runtime.dir) : undefined;
  if (manifest === undefined || !hasSkillFile(runtime.dir)) return 'missing';
  if (manifest.source_hash !== sourceHash) return 'stale';
  const index = indexPath(join(runtime.dir, OWN_DIRECTORY), runtime.source);
  return record.sourceOf(runtime.dir) !== undefined && isOwnIndex(index, record) ? 'ok' : 'damaged';
}

function deploymentState({ dir, method }: PlacedTarget, name: string, place: InstallPlace): DeploymentState {
  const path = join(dir, name);
  const status = statusAt(path);
  if (status === undefined) return 'missing';
  const runtime = runtimeOf(name, place);
  const isOurs = isDeploymentOf(runtime, path, place.home);
  if (status.isSymbolicLink()) {
    if (!existsSync(path)) return 'broken';
    if (!isOurs) return 'foreign';
    return method === 'link' && leadsRight(path, runtime) ? 'ok' : 'changed';
  }
  if (!isOurs) return 'foreign';
  return isPristineCopy(path) && isCurrentCopy(path, runtime.dir) ? 'ok' : 'changed';
}

/** A skill deployed whole is linked itself, any other through its runtime directory. */
function leadsRight(link: string, { dir, source }: { dir: string; source: string }): boolean {
  const isWhole = readBuildManifest(dir)?.form === 'whole';
  return realPath(link) === realPath(isWhole ? source : dir);
}

/** Damage to an installed skill: none, only its derived files, or the files themselves. */
export type Assessment =
  | { readonly kind: 'right' }
  | { readonly kind: 'links' }
  | { readonly kind: 'files'; readonly drift: FileDrift | undefined };

/** The drift of an installed skill, given what skc last wrote there; undefined when its directory is gone. */
export function driftOf({ name, place, entry }: Installed, placed: Lock): FileDrift | undefined {
  const dir = join(place.store.skills, name);
  return isThere(dir) ? compareWithLock(dir, entry, entryOf(placed, name)) : undefined;
}

/** Edits of an installed skill that nobody has recorded in the lock. */
export function editsIn({ modified = [], extra = [] }: Partial<FileDrift> = {}): string[] {
  return [...modified, ...extra];
}

/** Checks an installed skill. */
export function assessSkill(skill: Installed, placed: Lock): Assessment {
  const { name, place, entry } = skill;
  const drift = driftOf(skill, placed);
  if (drift === undefined || !isIntact(drift)) return { kind: 'files', drift };
  const isRight =
    checkRuntime(name, drift.sourceHash, place) === 'ok' &&
    checkDeployments(name, entry, place).every(({ state }) => state === 'ok');
  return { kind: isRight ? 'right' : 'links' };
}

/** The action that restores it. */
export const restoredStatus = { right: 'unchanged', links: 'linked', files: 'restored' } as const;

/** A skill that skc installed here under an earlier lock and that the lock no longer names. */
interface LeftBehind {
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
  return editsIn(compareWithLock(dir, entry, entry)).length + listBeside(dir).length > 0;
}
