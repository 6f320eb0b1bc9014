// Where the compiled form of a skill is, or would be.

import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isInside } from '../files/contained-path.ts';
import { readError } from '../files/system-error.ts';
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

/** Where a skill is compiled to: the project's runtime when the source lies in the project, else the user's. */
export function runtimeBaseOf(skill: ResolvedSkill, context: ResolveContext): RuntimeBase {
  const user = { dir: storePaths(context.home).runtime, project: undefined };
  if (skill.scope === 'user') return user;
  const project = findProject(context.cwd, context.home);
  if (project === undefined || !isInside(canonicalPath(project), canonicalPath(skill.dir))) return user;
  return { dir: storePaths(project).runtime, project };
}

/** The runtime directory named `name` that holds `indexFile`, the name only one skill's index can have; else undefined. */
export function findRuntime(
  skill: ResolvedSkill,
  options: { name: string; indexFile: string; context: ResolveContext },
): string | undefined {
  const bases = [runtimeBaseOf(skill, options.context).dir, storePaths(options.context.home).runtime];
  return bases
    .map((base) => join(base, options.name))
    .find((dir) => existsSync(join(dir, OWN_DIRECTORY, options.indexFile)));
}
