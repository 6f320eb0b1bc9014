// Finds the runtime directory of a skill.

import { existsSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { canonicalPath, isInside, namesIn, realPath } from '../../base/files/index.ts';
import { OWN_DIRECTORY, type Store, type StoreScope, storeAt, type Workspace } from '../workspace/index.ts';
import { type BuildManifest, readBuildManifest, readSpelledPath } from './build-manifest.ts';
import { buildRecord } from './build-record.ts';

/** A skill's location. `scope` is undefined for a directory outside the workspace's stores. */
export interface LocatedSkill {
  readonly dir: string;
  readonly scope: StoreScope | undefined;
}

/** A parent of runtime directories, and its project; undefined for the user's. */
export interface RuntimeBase {
  readonly dir: string;
  readonly project: string | undefined;
}

/** Scope of the workspace's store that contains a directory; undefined when none does. */
export function scopeOf(dir: string, { stores }: Workspace): StoreScope | undefined {
  return stores.find(({ skills }) => dirname(dir) === skills)?.scope;
}

/**
 * Where a skill is compiled to: the runtime of the project whose store contains it, wherever skc was started; else that
 * of the current project when it contains the source; else the user's.
 */
export function runtimeBaseOf(skill: LocatedSkill, workspace: Workspace): RuntimeBase {
  const project = skill.scope === 'user' ? undefined : projectOf(skill, workspace);
  if (project === undefined) return { dir: workspace.user.runtime, project };
  return { dir: storeAt('project', project).runtime, project };
}

function projectOf({ dir, scope }: LocatedSkill, workspace: Workspace): string | undefined {
  const current = workspace.project?.dir;
  if (scope === 'project') return current;
  const real = canonicalPath(dir);
  const owner = storeOwner(real);
  if (owner !== undefined) return owner === realPath(workspace.home) ? undefined : owner;
  return current !== undefined && isInside(realPath(current), real) ? current : undefined;
}

/** The directory whose store contains a skill, by path alone. */
export function storeOwner(dir: string): string | undefined {
  const own = dirname(dirname(dir));
  return basename(dirname(dir)) === 'skills' && basename(own) === OWN_DIRECTORY ? dirname(own) : undefined;
}

/** The runtime directory named `name` that a build made for a skill, or that holds `indexFile`, a name unique to it. */
export function findRuntime(
  skill: LocatedSkill,
  { name, indexFile, workspace }: { name: string; indexFile: string; workspace: Workspace },
): string | undefined {
  const holds = (base: string) => {
    const dir = join(base, name);
    if (existsSync(join(dir, OWN_DIRECTORY, indexFile))) return true;
    return existsSync(dir) && buildRecord(workspace.home).runtime(dir)?.source === skill.dir;
  };
  const usual = runtimeBaseOf(skill, workspace).dir;
  if (holds(usual)) return join(usual, name);
  if (holds(workspace.user.runtime)) return join(workspace.user.runtime, name);
  // The enclosing project may have compiled it, seen from elsewhere.
  for (let base = dirname(canonicalPath(skill.dir)); dirname(base) !== base; base = dirname(base)) {
    const { runtime } = storeAt('project', base);
    if (holds(runtime)) return join(runtime, name);
  }
  return undefined;
}

/** True for a skill in the store of a project or of the user, by path alone. */
export function isStored({ dir, scope }: LocatedSkill): boolean {
  return scope !== undefined || storeOwner(canonicalPath(dir)) !== undefined;
}

/**
 * Where the index and the log of a skill are kept that skc neither manages nor has built: in the user's cache, because
 * reading must not leave files in a skill or a repository. Its index is called `search-<hash16>.db`.
 */
export function readingPlace(
  { dir }: Pick<LocatedSkill, 'dir'>,
  indexFile: string,
  workspace: Pick<Workspace, 'user'>,
): string {
  const id = indexFile.slice('search-'.length, -'.db'.length);
  return join(workspace.user.cache, READING, id, basename(dir));
}

const READING = 'reading';

/** True for one of these places. */
export function isReadingPlace(runtime: string, { user }: Pick<Workspace, 'user'>): boolean {
  return runtime.startsWith(join(user.cache, READING) + sep);
}

/** All of these places. */
export function listReadingPlaces({ user }: Pick<Workspace, 'user'>): string[] {
  const places = join(user.cache, READING);
  return namesIn(places).flatMap((id) => namesIn(join(places, id)).map((name) => join(places, id, name)));
}

/** One runtime directory. */
export interface Runtime {
  readonly dir: string;
  /** The name of the directory. */
  readonly name: string;
  readonly manifest: BuildManifest;
  /** Recorded path of the source, which may be gone. */
  readonly source: string;
  /** Absolute paths it was deployed to. */
  readonly deployed: readonly string[];
}

/** The runtime directories skc recorded, in bytewise order. */
export function listRuntimes({ runtime }: Pick<Store, 'runtime'>, home: string): Runtime[] {
  const record = buildRecord(home);
  return namesIn(runtime).flatMap((name) => {
    const dir = join(runtime, name);
    const manifest = readBuildManifest(dir);
    const recorded = manifest === undefined ? undefined : record.runtime(dir);
    if (manifest === undefined || recorded === undefined) return [];
    const deployed = (manifest.deployed ?? []).map((spelled) => readSpelledPath(spelled, dir, home));
    return [{ dir, name, manifest, source: recorded.source, deployed }];
  });
}
