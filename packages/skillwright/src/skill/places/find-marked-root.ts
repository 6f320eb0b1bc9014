// The project around a working directory as agents see it: from a marked root down to where one stands.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside, realPath } from '../../base/files/index.ts';
import { isInRuntime, OWN_DIRECTORY } from './find-project.ts';

/** Names that mark the root of a project unless others are configured. */
const projectMarkers: readonly string[] = ['.git', '.jj', OWN_DIRECTORY];

/** The surroundings: both absolute. */
interface Surroundings {
  readonly cwd: string;
  readonly home: string;
}

/** The nearest ancestor of the working directory, itself included, that holds a marker; undefined when none does. */
export function findMarkedRoot(
  { cwd, home }: Surroundings,
  markers: readonly string[] = projectMarkers,
): { path: string; marker: string } | undefined {
  for (const path of ancestors(cwd)) {
    for (const marker of markers) {
      if (!existsSync(join(path, marker))) continue;
      // The user's own .skillc marks no project, nor does what a build made.
      if (marker === OWN_DIRECTORY && (isSamePlace(path, home) || isInRuntime(path))) continue;
      return { path, marker };
    }
  }
  return undefined;
}

/**
 * The directories whose skills are the project's, from its root down to the working directory. The home directory is
 * left out: its skills are the user's. A root that is not above the working directory stands alone.
 */
export function listProjectDirectories(root: string, { cwd, home }: Surroundings): string[] {
  const chain = ancestors(cwd).filter((directory) => isInside(root, directory));
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
