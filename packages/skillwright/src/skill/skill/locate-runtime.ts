// Where the compiled form of a skill is, or would be.

import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { canonicalPath, isInside, realPath } from '../../base/files/index.ts';
import { OWN_DIRECTORY, type StoreScope, storeAt, type Workspace } from '../workspace/index.ts';

/** Where a skill was found. `scope` is undefined for a directory outside the workspace's stores. */
export interface LocatedSkill {
  readonly dir: string;
  readonly scope: StoreScope | undefined;
}

/** A directory that holds runtime directories, and the project it belongs to; undefined for the user's. */
export interface RuntimeBase {
  readonly dir: string;
  readonly project: string | undefined;
}

/** The scope of the workspace's store that a directory lies in; undefined when it lies in none. */
export function scopeOf(dir: string, { stores }: Workspace): StoreScope | undefined {
  return stores.find(({ skills }) => dirname(dir) === skills)?.scope;
}

/**
 * Where a skill is compiled to: the runtime of the project whose store holds it, wherever skc was started; else that of
 * the current project when the source lies in it; else the user's.
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
  const owner = ownerOf(real);
  if (owner !== undefined) return owner === realPath(workspace.home) ? undefined : owner;
  return current !== undefined && isInside(realPath(current), real) ? current : undefined;
}

/** The directory whose store holds a skill, going by the path alone. */
function ownerOf(dir: string): string | undefined {
  const own = dirname(dirname(dir));
  return basename(dirname(dir)) === 'skills' && basename(own) === OWN_DIRECTORY ? dirname(own) : undefined;
}

/** The runtime directory named `name` that holds `indexFile`, the name only one skill's index can have; else undefined. */
export function findRuntime(
  skill: LocatedSkill,
  { name, indexFile, workspace }: { name: string; indexFile: string; workspace: Workspace },
): string | undefined {
  const holds = (base: string) => existsSync(join(base, name, OWN_DIRECTORY, indexFile));
  const usual = runtimeBaseOf(skill, workspace).dir;
  if (holds(usual)) return join(usual, name);
  if (holds(workspace.user.runtime)) return join(workspace.user.runtime, name);
  // It may have been compiled by the project around it, seen from elsewhere.
  for (let base = dirname(canonicalPath(skill.dir)); dirname(base) !== base; base = dirname(base)) {
    const { runtime } = storeAt('project', base);
    if (holds(runtime)) return join(runtime, name);
  }
  return undefined;
}
