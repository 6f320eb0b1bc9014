// Where the project begins, and the directories from there down to the working directory.

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { defaultConfig } from '../config/default-config.ts';
import { isInside } from '../files/contained-path.ts';
import { isInRuntime, OWN_DIRECTORY } from '../places/find-project.ts';
import type { CatalogOptions } from './catalog-options.ts';
import type { ProjectRoot } from './skill-record.ts';

/** `SKILLC_AGENTS_ROOT`, else the nearest ancestor with a marker, else the working directory. */
export function findProjectRoot({ cwd, home, env, markers }: CatalogOptions): ProjectRoot {
  const given = env.SKILLC_AGENTS_ROOT;
  if (given) return { path: resolve(cwd, given), reason: 'environment' };
  for (const directory of ancestors(cwd)) {
    for (const marker of markers ?? defaultConfig.catalog.markers) {
      if (!existsSync(join(directory, marker))) continue;
      // The user's own .skillc marks no project, nor does what a build made.
      if (marker === OWN_DIRECTORY && (isSamePlace(directory, home) || isInRuntime(directory))) continue;
      return { path: directory, reason: 'marker', marker };
    }
  }
  return { path: cwd, reason: 'cwd' };
}

/**
 * The directories whose skills are the project's, from its root down to the working directory. The home directory is
 * left out: its skills are the user's. A root that is not above the working directory stands alone.
 */
export function listProjectDirectories(root: string, { cwd, home }: CatalogOptions): string[] {
  const chain = ancestors(cwd).filter((directory) => directory === root || isInside(root, directory));
  const directories = chain.length === 0 ? [root] : chain.reverse();
  return directories.filter((directory) => !isSamePlace(directory, home));
}

function ancestors(directory: string): string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...ancestors(above)];
}

function isSamePlace(a: string, b: string): boolean {
  return a === b || realPath(a) === realPath(b);
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
