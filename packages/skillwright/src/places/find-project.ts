// Where a project begins.

import { realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** The directory, in a project or in the home directory, that belongs to skc. */
export const OWN_DIRECTORY = '.skillc';

/**
 * The nearest ancestor of `cwd` (itself included) with a `.skillc/` directory, unless that is the home directory or lies
 * inside a runtime directory; undefined when there is none.
 */
export function findProject(cwd: string, home: string): string | undefined {
  for (let directory = cwd; ; directory = dirname(directory)) {
    if (isDirectory(join(directory, OWN_DIRECTORY)) && mayBeProject(directory, home)) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

/** Judged by real paths too: a home reached through a link is still the home. */
function mayBeProject(directory: string, home: string): boolean {
  if (directory === home || isInRuntime(directory)) return false;
  const real = realPath(directory);
  return real !== realPath(home) && !isInRuntime(real);
}

/** True for a runtime directory and everything below it, going by the spelling of the path. */
export function isInRuntime(directory: string): boolean {
  return `${directory}${sep}`.includes(`${sep}${OWN_DIRECTORY}${sep}runtime${sep}`);
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** True for a directory, also one reached through a link; false for anything else or nothing. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // No permission, a loop of links, a name no file system takes: nothing that can be used as a directory.
    return false;
  }
}
