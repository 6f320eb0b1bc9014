// Replaces what occupies a deployment target: determines whether skc put it there and whether it is unchanged since, puts
// a link or copy in its place, and takes that back.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  backupName,
  type Change,
  discardTemporary,
  hashTree,
  isInside,
  isThere,
  movePath,
  realPath,
  removePath,
  renamePath,
  replacePath,
  retrySync,
  sha256,
  statusAt,
  systemErrorCode,
  temporaryBeside,
  untilSettled,
  walkTree,
} from '../../base/files/index.ts';
import { buildRecord, readBuildManifest } from '../../skill/skill/index.ts';
import { checkInside, OWN_DIRECTORY, storeAt } from '../../skill/workspace/index.ts';
import type { Staged } from './links.ts';

/** Occupant of a target. */
export type Occupant =
  | { readonly kind: 'nothing' }
  /** A link that skc made. */
  | { readonly kind: 'link'; readonly led: string }
  /** A copy that skc made, unchanged since. */
  | { readonly kind: 'own' }
  /** Anything else that may be moved aside. */
  | { readonly kind: 'kept'; readonly led?: string };

/** Input for the check. */
interface InspectOptions {
  readonly home: string;
  readonly force: boolean;
  /** Target of the new link: an existing link to it counts as ours. */
  readonly leads: string;
  /** A directory that was just copied into the store, so it may be moved aside. */
  readonly imported?: string | undefined;
}

/** Other processes may replace the target during the check. */
const MAX_ATTEMPTS = 20;

/** Checks what occupies a target; E013 if it may not be replaced. */
export function inspect(path: string, options: InspectOptions): Occupant {
  return untilSettled<() => Occupant>(MAX_ATTEMPTS, () => {
    const status = statusAt(path);
    if (status === undefined) return { result: () => ({ kind: 'nothing' }), isSettled: true };
    const result = keepOutcome(() => identify(path, status, options));
    return { result, isSettled: isSameEntry(statusAt(path), status) };
  })();
}

/** Does the work now, and answers with its result or its error later. */
function keepOutcome<Result>(work: () => Result): () => Result {
  try {
    const result = work();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

const isSameEntry = (now: Stats | undefined, before: Stats) =>
  now !== undefined && now.ino === before.ino && now.dev === before.dev;

function identify(path: string, status: Stats, options: InspectOptions): Occupant {
  if (status.isSymbolicLink()) {
    const led = leadOf(path);
    if (isOwnLink(path, options.home, led) || isSamePlace(led, options.leads)) return { kind: 'link', led };
    // A dangling link may be replaced where skc once put a link.
    const isDead = !existsSync(path) && buildRecord(options.home).place(path) !== undefined;
    if (options.force || isDead) return { kind: 'kept', led };
    throw notReplaceable(path, `it is a link to ${led} that skc did not make`);
  }
  if (isOwnCopy(path, options.home)) return { kind: isPristineCopy(path) ? 'own' : 'kept' };
  if (options.force || (options.imported !== undefined && realPath(path) === options.imported))
    return { kind: 'kept' };
  throw notReplaceable(path, 'skc did not make it');
}

function notReplaceable(path: string, why: string): SkillwrightError {
  const help = `${why}; use --force to replace it: the old one is backed up under .skillc/backups`;
  return SkillwrightError.of('E013', { path }, { help });
}

/** Absolute target of a link, whether or not it exists. */
export function leadOf(link: string): string {
  return resolve(realPath(dirname(link)), readlinkSync(link));
}

/** True for a link that skc made and that still has its target. */
export function isOwnLink(path: string, home: string, led = leadOf(path)): boolean {
  const recorded = buildRecord(home).place(path);
  return recorded !== undefined && isSamePlace(led, recorded);
}

/** True for a directory with a manifest that skc put there, changed since or not. */
function isOwnCopy(path: string, home: string): boolean {
  return buildRecord(home).place(path) !== undefined && readBuildManifest(path) !== undefined;
}

/** Whether two paths are the same place, even if it no longer exists. */
export function isSamePlace(a: string, b: string): boolean {
  return a === b || realPath(a) === realPath(b);
}

/** True if a directory holds the manifest and all files unchanged as skc wrote them, and nothing else. */
export function isPristineCopy(dir: string): boolean {
  const manifest = readBuildManifest(dir);
  if (manifest === undefined) return false;
  try {
    if (readdirSync(join(dir, OWN_DIRECTORY)).join('/') !== 'manifest.json') return false;
    if (sha256(readFileSync(join(dir, 'SKILL.md'))) !== manifest.stub_hash) return false;
    return hashCopy(dir) === (manifest.copy_hash ?? hashTree([]));
  } catch {
    // An unreadable copy is not known to be ours.
    return false;
  }
}

/** True if a copy has the form and content that the runtime directory of the skill has now. */
export function isCurrentCopy(copy: string, runtimeDir: string): boolean {
  const [there, here] = [readBuildManifest(copy), readBuildManifest(runtimeDir)];
  if (there === undefined || here === undefined) return false;
  const form = here.form ?? 'stub';
  if ((there.form ?? 'stub') !== form) return false;
  return form === 'stub' ? there.stub_hash === here.stub_hash : there.source_hash === here.source_hash;
}

/** Ignore files that Python creates when a script runs. */
const isPassedOver = (name: string) => name === '__pycache__';

/** SHA-256 over everything in a copy except the stub and the manifest, hidden files included. */
export function hashCopy(dir: string): string {
  const { entries, truncated } = walkTree(dir, { ignores: isPassedOver });
  if (truncated) throw new Error('too many files');
  const others = entries.filter(
    ({ path }) => path !== 'SKILL.md' && path !== OWN_DIRECTORY && path !== `${OWN_DIRECTORY}/manifest.json`,
  );
  return hashTree(
    others.map(({ path, kind }) => ({
      path,
      sha256: kind === 'file' ? sha256(readFileSync(join(dir, path))) : kind,
    })),
  );
}

/** A link or copy in place. */
export interface Placed extends Change {
  /** Backup of what was there before; null if nothing had to be kept. */
  readonly backup: string | null;
  /** Previous target of a link. */
  readonly led: string | undefined;
}

/** Other processes may deploy to the same target at the same time: each attempt checks it again. */
const MAX_TRIES = 20;

/** Puts a staged link or copy in place. E013 if the target now holds something that may not be replaced. */
export function putInPlace(path: string, made: Staged, options: InspectOptions & BackupOptions): Placed {
  return retrySync(() => replace(path, made, options), { most: MAX_TRIES, mayPass: isOvertaken });
}

function replace(path: string, { staged, method }: Staged, options: InspectOptions & BackupOptions): Placed {
  const occupant = inspect(path, options);
  if (occupant.kind === 'nothing') {
    replacePath({ path, staged });
    return { backup: null, led: undefined, undo: () => discardTemporary(path) };
  }
  const led = 'led' in occupant ? occupant.led : undefined;
  const text = led === undefined ? undefined : readlinkSync(path);
  const relink = (): void => {
    const link = temporaryBeside(path);
    symlinkSync(text!, link, 'junction');
    renamePath(link, path);
  };
  if (occupant.kind === 'link' && method === 'symlink') {
    // A link replaces a link in one step.
    renamePath(staged, path);
    return { backup: null, led, undo: relink };
  }
  // Move anything else aside first, and restore it if that fails.
  const isKept = occupant.kind === 'kept';
  let aside = isKept ? backupPlace(path, options) : temporaryBeside(path);
  const undo = (): void => {
    discardTemporary(path);
    if (text === undefined) movePath(aside, path);
    else {
      relink();
      removePath(aside, { force: true });
    }
  };
  // No other process knows its place now, so it is certain whether it was changed.
  const isOurs = () => !isKept && (led !== undefined || isPristineCopy(aside));
  const keep = (): void => {
    const backup = backupPlace(path, options);
    movePath(aside, backup);
    aside = backup;
  };
  try {
    replacePath({ path, staged, aside }, { move: isKept ? movePath : renamePath });
  } catch (error) {
    if (!isThere(aside)) throw error;
    if (!isThere(path)) undo();
    // Another process was faster: what was moved aside cannot be restored.
    else if (isOurs()) discardTemporary(aside);
    else if (!isKept) keep();
    throw error;
  }
  // Another process has removed it.
  if (!isThere(aside)) return { backup: null, led, undo: () => discardTemporary(path) };
  if (isOurs()) return { backup: null, led, undo, settle: () => discardTemporary(aside) };
  if (!isKept) keep();
  return { backup: aside, led, undo };
}

function isOvertaken(error: unknown): boolean {
  return ['ENOENT', 'EEXIST', 'ENOTEMPTY', 'EISDIR', 'ENOTDIR'].includes(systemErrorCode(error) ?? '');
}

// Backups of what a forced build replaces.

/** Owner of the backups. */
interface BackupOptions {
  readonly home: string;
  readonly project: string | undefined;
  readonly now: Date;
}

/**
 * A free path for a backup of `path`, under `.skillc/backups` of its project, or of the user outside a project: next to
 * the original, agents would take it for a skill. Creates the directory.
 */
export function backupPlace(path: string, { home, project, now }: BackupOptions): string {
  const isProjects = project !== undefined && isInside(realPath(project), realPath(dirname(path)));
  const { backups } = isProjects ? storeAt('project', project) : storeAt('user', home);
  if (isProjects) checkInside(project, backups);
  mkdirSync(backups, { recursive: true });
  return backupName(join(backups, basename(path)), now);
}
