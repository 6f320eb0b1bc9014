// Where the compiled form of a skill is, or would be.

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside, readError } from '../../base/files/index.ts';
import { findProject, OWN_DIRECTORY } from './find-project.ts';
import type { ResolveContext, ResolvedSkill } from './resolve-skill.ts';
import { storePaths } from './store-paths.ts';

/** A directory that holds runtime directories, and the project it belongs to; undefined for the user's. */
export interface RuntimeBase {
  readonly dir: string;
  readonly project: string | undefined;
}

/** The path that identifies a skill: links resolved. */
export function canonicalPath(dir: string): string {
  try {
    return realpathSync.native(dir);
  } catch (error) {
    throw readError(dir, error);
  }
}

/**
 * Where a skill is compiled to: the runtime of the project whose store holds it, wherever skc was started; else that of
 * the current project when the source lies in it; else the user's.
 */
export function runtimeBaseOf(skill: ResolvedSkill, context: ResolveContext): RuntimeBase {
  const project = skill.scope === 'user' ? undefined : projectOf(skill, context);
  return { dir: storePaths(project ?? context.home).runtime, project };
}

function projectOf(skill: ResolvedSkill, context: ResolveContext): string | undefined {
  const current = findProject(context.cwd, context.home);
  if (skill.scope === 'project') return current;
  const dir = canonicalPath(skill.dir);
  const owner = findProject(dir, context.home);
  if (owner !== undefined && dirname(dir) === storePaths(owner).skills) return owner;
  return current !== undefined && isInside(canonicalPath(current), dir) ? current : undefined;
}

/** The runtime directory named `name` that holds `indexFile`, the name only one skill's index can have; else undefined. */
export function findRuntime(
  skill: ResolvedSkill,
  options: { name: string; indexFile: string; context: ResolveContext },
): string | undefined {
  const { name, indexFile, context } = options;
  // One after the other: the first is mostly right, and the next costs a walk up the directories.
  const bases = [
    () => runtimeBaseOf(skill, context).dir,
    () => storePaths(findProject(canonicalPath(skill.dir), context.home) ?? context.home).runtime,
    () => storePaths(context.home).runtime,
  ];
  for (const base of bases) {
    const dir = join(base(), name);
    if (existsSync(join(dir, OWN_DIRECTORY, indexFile))) return dir;
  }
  return undefined;
}
