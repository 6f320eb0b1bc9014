// Skill roots: directories that may hold skills, existing or not.

import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDirectory } from '../../base/files/index.ts';
import { agents, resolveTargets, userDirectory } from '../../skill/agents/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import type { CatalogOptions } from './catalog-options.ts';
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
  const project = directories.flatMap((directory, depth): SkillRoot[] => {
    const place = (path: string, adapter: string) => ({
      path,
      adapter,
      scope: 'project' as const,
      nearness: depth,
    });
    return [
      ...adapters.map((adapter) => place(join(directory, adapter), adapter)),
      ...wanted.map((agent) => place(join(directory, agent.project), agent.id)),
    ];
  });
  const packages = options.nodeModules ? directories.flatMap(listPackages) : [];
  const user = [
    ...adapters.map((adapter) => ({
      path: userAdapter(adapter),
      adapter,
    })),
    ...wanted.flatMap((agent) => {
      const path = userDirectory(agent, workspace);
      return path === undefined ? [] : [{ path, adapter: agent.id }];
    }),
  ].map((root): SkillRoot => ({ ...root, scope: 'user', nearness: 0 }));
  const extra = options.roots.map(
    ({ path, scope }): SkillRoot => ({
      path,
      scope,
      adapter: 'configured',
      nearness: -1,
    }),
  );
  const bundled = (options.bundled ?? []).map(
    (path): SkillRoot => ({
      path,
      scope: 'bundled',
      adapter: 'bundled',
      nearness: 0,
    }),
  );
  const all = [...project, ...ofScope(extra, 'project'), ...packages, ...user];
  all.push(...ofScope(extra, 'user'), ...bundled, ...ofScope(extra, 'bundled'));
  // Several agents share a directory; the first one is reported.
  const known = new Set<string>();
  return all.filter(({ path }) => !known.has(path) && known.add(path));

  function userAdapter(adapter: string): string {
    const agent = agents.find(({ user: directory, variable }) => variable && directory === adapter);
    return (agent && userDirectory(agent, { home, env })) ?? join(home, adapter);
  }
}

function ofScope(roots: readonly SkillRoot[], scope: SkillScope): SkillRoot[] {
  return roots.filter((root) => root.scope === scope);
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
