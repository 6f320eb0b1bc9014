// Where to look for skills, and how far.

import { join, resolve } from 'node:path';
import type { Config } from '../../skill/config/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import type { SearchLimits } from './search-skills.ts';
import type { SkillScope } from './skill-record.ts';

/** An additional directory with skills. */
interface ExtraRoot {
  /** Absolute. */
  readonly path: string;
  readonly scope: SkillScope;
}

/** Discovery options of a host; the rest comes from the workspace and its configuration. */
export interface Discovery {
  readonly maxDepth?: number | undefined;
  /** Most directories to visit per root. */
  readonly maxDirectories?: number | undefined;
  /** Ids of agents whose own directories are searched too. */
  readonly agents?: 'all' | readonly string[] | undefined;
  readonly roots?: readonly ExtraRoot[] | undefined;
  /** Directories of skills shipped with the host. */
  readonly bundled?: readonly string[] | undefined;
  /** Whether skills in `node_modules` count. */
  readonly nodeModules?: boolean | undefined;
  /** Cache directory; false for none. Default: the user's cache. */
  readonly cache?: string | false | undefined;
}

/** Resolved discovery options. */
export interface CatalogOptions extends Discovery {
  readonly maxDepth: number;
  readonly maxDirectories: number;
  readonly roots: readonly ExtraRoot[];
  readonly cacheDirectory: string | undefined;
}

/** Configured number of search results. */
export function searchLimits({ search }: Pick<Config, 'search'>): SearchLimits {
  return { usual: search.default_limit, most: search.max_limit };
}

/** Effective options: the host's, else the configuration's. E110 when the configuration cannot be used. */
export async function settleOptions(workspace: Workspace, discovery: Discovery): Promise<CatalogOptions> {
  const { catalog } = await workspace.config();
  const { cache = workspace.user.cache } = discovery;
  const configured = catalog.roots.length === 0 ? [] : await placeRoots(catalog.roots, workspace);
  return {
    ...discovery,
    maxDepth: discovery.maxDepth ?? catalog.max_depth,
    maxDirectories: discovery.maxDirectories ?? catalog.max_directories,
    roots: [...configured, ...(discovery.roots ?? [])],
    cacheDirectory: cache === false ? undefined : cache,
  };
}

/**
 * Configured roots belong to the layer that names them: a project's are relative to the project, the user's to the
 * home directory, those of the environment to the working directory.
 */
async function placeRoots(roots: readonly string[], workspace: Workspace): Promise<ExtraRoot[]> {
  const { cwd, home, project } = workspace;
  const { layer, place } = (await workspace.configuration()).originOf('catalog.roots');
  const base = layer === 'project' ? project!.dir : layer === 'user' && place !== undefined ? home : cwd;
  return roots.map((written) => {
    const path = written.startsWith('~/') ? join(home, written.slice(2)) : resolve(base, written);
    return { path, scope: layer === 'project' ? 'project' : 'user' };
  });
}
