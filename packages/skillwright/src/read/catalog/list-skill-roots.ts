// Skill roots: directories that may hold skills, existing or not, and how far to look in them.

import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isDirectory, isInside, realPathAhead, typedPath } from '../../base/files/index.ts';
import { agents, resolveTargets, userDirectory } from '../../skill/agents/index.ts';
import type { Config } from '../../skill/config/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import type { SearchLimits } from './search-skills.ts';
import type { SkillEntry } from './skill-entry.ts';
import type { SkillScope } from './skill-record.ts';

/** A directory that may hold skills. */
export interface SkillRoot {
  readonly path: string;
  readonly scope: SkillScope;
  /** Why it is searched. */
  readonly adapter: string;
  /** Among roots of one scope, the higher value wins when two skills share a name. */
  readonly nearness: number;
  /** Fixed maximum depth of its skills, if any. */
  readonly maxDepth?: number;
}

/** Directories in a project or in the home directory that are always searched. */
const adapters = ['.agents/skills', '.agent/skills', '.claude/skills', '.skillc/skills'] as const;

/** Most packages to look at per directory. */
const MAX_PACKAGES = 2000;
const MAX_PACKAGE_DEPTH = 3;

/**
 * Every skill root in discovery order: the project's from its root down to the working directory, the user's, the
 * bundled ones. E100 for an unknown agent.
 */
export function listSkillRoots(workspace: Workspace, options: CatalogOptions): SkillRoot[] {
  const { home, env, directories } = workspace;
  const wanted = wantedAgents(workspace, options);
  const project = directories.flatMap((directory, nearness) =>
    [
      ...adapters.map((adapter) => ({ path: join(directory, adapter), adapter })),
      ...wanted.map(({ project: path, id: adapter }) => ({ path: join(directory, path), adapter })),
    ].map((root): SkillRoot => ({ ...root, scope: 'project', nearness })),
  );
  const packages = options.nodeModules ? directories.flatMap(listPackages) : [];
  const user = [
    ...adapters.map((adapter) => ({ path: userAdapter(adapter), adapter })),
    ...wanted.flatMap((agent) => {
      const path = userDirectory(agent, workspace);
      return path === undefined ? [] : [{ path, adapter: agent.id }];
    }),
  ].map((root): SkillRoot => ({ ...root, scope: 'user', nearness: 0 }));
  const bundled = (options.bundled ?? []).map(
    (path): SkillRoot => ({ path, scope: 'bundled', adapter: 'bundled', nearness: 0 }),
  );
  const configured = (scope: SkillScope) =>
    options.roots
      .filter((root) => root.scope === scope)
      .map(({ path }): SkillRoot => ({ path, scope, adapter: 'configured', nearness: -1 }));
  const all = [...project, ...configured('project'), ...packages, ...user];
  all.push(...configured('user'), ...bundled, ...configured('bundled'));
  // Several agents share a directory; the first one is reported.
  const known = new Set<string>();
  return all.filter(({ path }) => !known.has(path) && known.add(path));

  function userAdapter(adapter: string): string {
    const agent = agents.find(({ user: directory, variable }) => variable && directory === adapter);
    return (agent && userDirectory(agent, { home, env })) ?? join(home, adapter);
  }
}

function wantedAgents(workspace: Workspace, options: CatalogOptions): (typeof agents)[number][] {
  if (options.agents === 'all') return [...agents];
  const targets = resolveTargets(options.agents ?? [], workspace);
  return targets.flatMap(({ id }) => agents.filter((agent) => agent.id === id));
}

/** The `skills` directories of the packages below a directory's `node_modules`. */
function listPackages(directory: string): SkillRoot[] {
  const roots: SkillRoot[] = [];
  let packages = 0;
  const visit = (modules: string, depth: number): void => {
    for (const name of packageNames(modules)) {
      if (name.startsWith('.') || packages >= MAX_PACKAGES) continue;
      const path = join(modules, name);
      if (name.startsWith('@')) {
        visit(path, depth);
        continue;
      }
      packages += 1;
      const skills = join(path, 'skills');
      if (isDirectory(skills))
        roots.push({
          path: skills,
          scope: 'project',
          adapter: 'node_modules',
          nearness: -2,
          maxDepth: 1,
        });
      if (depth < MAX_PACKAGE_DEPTH) visit(join(path, 'node_modules'), depth + 1);
    }
  };
  visit(join(directory, 'node_modules'), 1);
  return roots;
}

function packageNames(directory: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch {
    // No packages are installed here, or they cannot be read.
    return [];
  }
  return entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .sort();
}

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
  /** Skills that were opened just now, and need not be read. */
  readonly opened?: readonly SkillEntry[] | undefined;
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
    const path = typedPath(written, { cwd: base, home });
    if (layer === 'project' && !isInside(realPathAhead(base), realPathAhead(path))) {
      const why = `catalog.roots: '${written}' is outside the project`;
      const help = 'a project may name its own directories; your own configuration may name any directory';
      throw SkillwrightError.of('E110', { where: place ?? base, why }, { help });
    }
    return { path, scope: layer === 'project' ? 'project' : 'user' };
  });
}
