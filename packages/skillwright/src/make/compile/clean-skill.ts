// Removes everything a build made: stub, manifest, index, and the deployed links and copies.

import { existsSync, lstatSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  anyName,
  canonicalPath,
  isThere,
  movePath,
  namesIn,
  realPath,
  removeIfEmpty,
  removeLeftovers,
  removePath,
  statusAt,
  walkTree,
  writeError,
} from '../../base/files/index.ts';
import { indexFileName } from '../../read/index/index.ts';
import { logPath } from '../../read/usage/index.ts';
import { agents, userDirectories } from '../../skill/agents/index.ts';
import { digestSkill } from '../../skill/quiz/index.ts';
import {
  type Before,
  type BuildRecord,
  buildRecord,
  isSkill,
  type LocatedSkill,
  readBuildManifest,
  readingPlace,
  readSourcePath,
  readSpelledPath,
  runtimeBaseOf,
} from '../../skill/skill/index.ts';
import { OWN_DIRECTORY, type Workspace } from '../../skill/workspace/index.ts';
import { linksBeside } from './links.ts';
import { isOwnLink, isPristineCopy, isSamePlace, leadOf } from './occupant.ts';
import { checkPaths, copyEntries } from './open-for-build.ts';

/**
 * Paths removed, paths kept (changed copies, and links that skc did not make), and paths that hold again what agents had
 * there before.
 */
export interface Cleaned {
  removed: string[];
  kept: string[];
  restored: string[];
}

/** Skill to clean: an existing one, or the name of one without its source. */
type CleanRequest =
  | { readonly skill: LocatedSkill; readonly name?: undefined }
  | { readonly skill?: undefined; readonly name: string };

/** Options of `skc clean`. */
interface CleanOptions {
  /** List what would be removed, and remove nothing. */
  readonly dryRun?: boolean | undefined;
  /** Remove the access log as well. */
  readonly logs?: boolean | undefined;
}

/** Removes everything compiled from a skill. E001 if nothing of that name was. */
export function cleanSkill(
  { skill: found, name }: CleanRequest,
  workspace: Workspace,
  options: CleanOptions = {},
): Cleaned {
  const real = found === undefined ? undefined : canonicalPath(found.dir);
  // A stub without its source is known by the name of its runtime directory.
  const skill =
    real === undefined || readBuildManifest(real) !== undefined ? undefined : { ...found!, dir: real };
  const word = name ?? basename(real!);
  const bases = new Set([
    ...workspace.stores.map(({ runtime }) => runtime),
    ...(skill === undefined
      ? []
      : [
          runtimeBaseOf(skill, workspace).dir,
          dirname(readingPlace(skill, indexFileName(skill.dir), workspace)),
        ]),
  ]);
  const meant = [...bases]
    .flatMap((base) => [
      ...runtimesIn(base, workspace.home, skill?.dir),
      ...(options.logs === true ? loggedRuntime(base, { name: word, source: skill?.dir }) : []),
      ...vanishedRuntime(base, skill?.dir ?? word, workspace),
    ])
    .filter((runtime) => (skill === undefined ? runtime.name === word : runtime.source === skill.dir));
  if (skill === undefined && meant.length === 0) throw SkillwrightError.of('E001', { skill: word });
  const cleaned = meant.map((runtime) => cleanRuntime(runtime, workspace, options));
  const each = (list: keyof Cleaned) => [...new Set(cleaned.flatMap((one) => one[list]))];
  return { removed: each('removed'), kept: each('kept'), restored: each('restored') };
}

/**
 * Takes away the links and copies that agents see, at the places that `isMeant`; what was compiled stays, and its manifest
 * says where to put them back.
 */
export function withdrawSkill(
  source: string,
  workspace: Workspace,
  { isMeant, dryRun = false }: { readonly isMeant: (place: string) => boolean; readonly dryRun?: boolean },
): Cleaned {
  const { home } = workspace;
  const cleaned: Cleaned = { removed: [], kept: [], restored: [] };
  for (const runtime of workspace.stores.flatMap((store) => runtimesIn(store.runtime, home, source))) {
    if (runtime.source !== source || !runtime.isOwner) continue;
    for (const place of deployedPlaces(runtime, workspace).filter(isMeant))
      cleaned[takeAway(place, runtime, { home, dryRun }) ? 'removed' : 'kept'].push(place);
  }
  return cleaned;
}

/** Removes a link that skc made, or a copy that is unchanged since. False for anything else, which stays. */
function takeAway(
  place: string,
  runtime: Pick<CompiledSkill, 'dir' | 'source'>,
  { home, dryRun = false }: { readonly home: string; readonly dryRun?: boolean },
): boolean {
  const isLink = lstatSync(place).isSymbolicLink();
  if (!(isLink ? isOurLink(runtime, place, home) : isPristineCopy(place))) return false;
  if (dryRun) return true;
  removePath(place, { recursive: !isLink });
  buildRecord(home).forget(place);
  return true;
}

/** A runtime directory and the skill it was compiled from. */
interface CompiledSkill {
  readonly dir: string;
  readonly name: string;
  /** Canonical if it still exists. */
  readonly source: string;
  /** False for an index in the runtime directory of another skill. */
  readonly isOwner: boolean;
}

function runtimesIn(base: string, home: string, source: string | undefined): CompiledSkill[] {
  return namesIn(base, anyName).flatMap((name): CompiledSkill[] => {
    const dir = join(base, name);
    const manifest = readBuildManifest(dir);
    const owner = manifest === undefined ? undefined : realPath(readSourcePath(manifest, dir, home));
    if (
      source !== undefined &&
      owner !== source &&
      existsSync(join(dir, OWN_DIRECTORY, indexFileName(source)))
    )
      return [{ dir, name, source, isOwner: manifest === undefined }];
    return owner === undefined ? [] : [{ dir, name, source: owner, isOwner: true }];
  });
}

/** A runtime directory of that name that holds only an access log: the skill was read and never built, or cleaned. */
function loggedRuntime(
  base: string,
  { name, source }: { name: string; source: string | undefined },
): CompiledSkill[] {
  const dir = join(base, source === undefined ? name : basename(source));
  const isBelow = dirname(dir) === base;
  return isBelow && existsSync(logPath(dir)) && readBuildManifest(dir) === undefined
    ? [{ dir, name: basename(dir), source: source ?? dir, isOwner: false }]
    : [];
}

/** A runtime directory that was removed by hand, while links to it remain. */
function vanishedRuntime(base: string, source: string, workspace: Workspace): CompiledSkill[] {
  const name = basename(source);
  const runtime = { dir: join(base, name), name, source, isOwner: true };
  return !existsSync(runtime.dir) && deployedPlaces(runtime, workspace).length > 0 ? [runtime] : [];
}

/** Cleans one runtime directory. Keeps the access log unless asked to remove it; removes directories only if empty. */
export function cleanRuntime(
  runtime: CompiledSkill,
  workspace: Workspace,
  { dryRun = false, logs = false }: CleanOptions = {},
): Cleaned {
  const removed: string[] = [];
  const remove = (path: string, recursive = false): void => {
    if (!dryRun) removePath(path, { recursive });
    removed.push(path);
  };
  const kept: string[] = [];
  const restored: string[] = [];
  const own = join(runtime.dir, OWN_DIRECTORY);
  const record = buildRecord(workspace.home);
  try {
    if (runtime.isOwner) {
      for (const place of recordedPlaces(runtime, workspace.home))
        removed.push(...removeLeftovers(dirname(place), { names: [runtime.name], dryRun }));
      for (const place of deployedPlaces(runtime, workspace)) {
        const before = record.before(place);
        if (takeAway(place, runtime, { home: workspace.home, dryRun })) {
          removed.push(place);
          if (![before.link, before.backup].some((path) => path !== undefined && isThere(path))) continue;
          restored.push(place);
          if (!dryRun) bringBack(place, { before, runtime, record });
        } else kept.push(place);
      }
    }
    // Remove the manifest last: an interrupted clean can be repeated.
    const files = [join(own, indexFileName(runtime.source))];
    if (runtime.isOwner) {
      const beside = linksBeside(runtime.dir, {
        source: runtime.source,
        copied: readBuildManifest(runtime.dir)?.copied,
      }).map((name) => join(runtime.dir, name));
      files.unshift(join(runtime.dir, 'SKILL.md'), ...beside);
      files.push(join(own, 'manifest.json'));
    }
    // Do not delete a log behind a link that skc did not make.
    const isOwn = [runtime.dir, own].every((dir) => statusAt(dir)?.isDirectory());
    if (logs && isOwn) files.push(...['', '-wal', '-shm'].map((end) => logPath(runtime.dir) + end));
    for (const file of files) {
      if (!dryRun) record.forget(file);
      if (isThere(file)) remove(file, lstatSync(file).isDirectory());
    }
    removed.push(
      ...removeLeftovers(runtime.dir, { names: ['SKILL.md'], dryRun }),
      ...removeLeftovers(own, { names: ['manifest.json', indexFileName(runtime.source)], dryRun }),
    );
    if (!dryRun) {
      if (runtime.isOwner) record.forget(runtime.dir);
      for (const directory of [own, runtime.dir]) removeIfEmpty(directory);
    }
  } catch (error) {
    throw writeError(runtime.dir, error);
  }
  const { source } = runtime;
  const from = runtime.isOwner ? record.importedFrom(source) : undefined;
  if (from !== undefined && isThere(source)) {
    // Its backup is gone, so the copy in the store goes back.
    const isNeeded = removed.includes(from) && !restored.includes(from);
    if (isNeeded) restored.push(from);
    if (isNeeded && !dryRun) movePath(source, from);
    else if (restored.includes(from)) remove(source, true);
    if (!dryRun) record.forget(source);
  }
  return { removed, kept, restored };
}

/** Puts back what agents had at a place before a build. Edits made to an imported skill in its store stay. */
function bringBack(
  place: string,
  { before, runtime, record }: { before: Before; runtime: CompiledSkill; record: BuildRecord },
): void {
  const { link, backup } = before;
  if (link !== undefined && isThere(link)) {
    symlinkSync(link, place, 'junction');
    record.addPlace(place, link, { backup });
    return;
  }
  const { source } = runtime;
  const isEdited =
    record.importedFrom(source) === place && isSkill(source) && digestSkill(source) !== digestSkill(backup!);
  movePath(backup!, place);
  if (!isEdited) return;
  for (const { path, kind } of walkTree(place).entries)
    if (kind === 'file') removePath(join(place, path), { force: true });
  copyEntries(source, place, checkPaths(source));
}

/** A link that skc recorded, or one to the runtime directory at a place its manifest names: it would be dangling. */
function isOurLink(runtime: Pick<CompiledSkill, 'dir'>, place: string, home: string): boolean {
  if (isOwnLink(place, home)) return true;
  return isSamePlace(leadOf(place), runtime.dir) && recordedPlaces(runtime, home).includes(place);
}

/** Links to the runtime directory, and copies of it: at recorded places, and where agents would look for them. */
function deployedPlaces(runtime: CompiledSkill, workspace: Workspace): string[] {
  const { project, home } = workspace;
  const places = new Set([
    ...recordedPlaces(runtime, home),
    ...userDirectories(workspace).map((directory) => join(directory, runtime.name)),
    ...(project === undefined ? [] : agents.map((agent) => join(project.dir, agent.project, runtime.name))),
  ]);
  return [...places].filter((place) => isDeploymentOf(runtime, place, home));
}

function recordedPlaces(runtime: Pick<CompiledSkill, 'dir'>, home: string): string[] {
  const recorded = readBuildManifest(runtime.dir)?.deployed ?? [];
  return recorded.map((place) => readSpelledPath(place, runtime.dir, home));
}

/** Whether a place holds a link to the runtime directory, a link to the source of a skill deployed whole, or a copy. */
export function isDeploymentOf(
  runtime: Pick<CompiledSkill, 'dir' | 'source'>,
  place: string,
  home: string,
): boolean {
  const status = statusAt(place);
  if (status === undefined) return false;
  if (status.isSymbolicLink()) {
    const led = leadOf(place);
    return (
      isSamePlace(led, runtime.dir) || (isSamePlace(led, runtime.source) && isWhole(runtime.dir, place, home))
    );
  }
  const manifest = status.isDirectory() ? readBuildManifest(place) : undefined;
  return manifest !== undefined && realPath(readSourcePath(manifest, place, home)) === runtime.source;
}

/** Whether a skill is deployed whole, or was when the link was made. */
function isWhole(runtimeDir: string, place: string, home: string): boolean {
  return readBuildManifest(runtimeDir)?.form === 'whole' || isOwnLink(place, home);
}
