// The options of a catalog as the configuration has them.

import { join, resolve } from 'node:path';
import type { Diagnostic } from '../../base/diagnostics/index.ts';
import { type Config, type ConfigContext, readConfig } from '../../skill/config/index.ts';
import { findProject } from '../../skill/places/index.ts';
import type { CatalogOptions, ExtraRoot } from './catalog-options.ts';

/** What configuration decides; the caller adds the rest. E110 when a file cannot be used. */
export async function readCatalogOptions(
  context: ConfigContext & { report(diagnostic: Diagnostic): void },
): Promise<Omit<CatalogOptions, 'trusted'>> {
  const { cwd, home, env } = context;
  const { catalog } = await readConfig(context);
  return {
    cwd,
    home,
    env,
    markers: catalog.markers,
    maxDepth: catalog.max_depth,
    maxDirectories: catalog.max_directories,
    roots: catalog.roots.length === 0 ? [] : await placeRoots(catalog, context),
  };
}

/**
 * Configured roots belong to whoever configured them: a project's start from the project and are the project's, the
 * user's start from the home directory, those of the environment from the working directory.
 */
async function placeRoots({ roots }: Config['catalog'], context: ConfigContext): Promise<ExtraRoot[]> {
  const { loadConfig } = await import('../../skill/config/load-config.ts');
  const { cwd, home } = context;
  const { layer } = loadConfig(context).originOf('catalog.roots');
  const base = layer === 'project' ? (findProject(cwd, home) ?? cwd) : layer === 'user' ? home : cwd;
  return roots.map((written) => {
    const path = written.startsWith('~/') ? join(home, written.slice(2)) : resolve(base, written);
    return { path, scope: layer === 'project' ? 'project' : 'user' };
  });
}
