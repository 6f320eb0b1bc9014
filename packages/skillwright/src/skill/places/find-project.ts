// Where a project begins.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { realPath } from '../../base/files/index.ts';

/** The directory, in a project or in the home directory, that belongs to skc. */
export const OWN_DIRECTORY = '.skillc';

/** Where accesses are written down, inside the own directory of any working directory, when their log cannot be. */
export const LOCAL_LOGS = 'logs';

/**
 * The nearest ancestor of `cwd` (itself included) with a `.skillc/` directory, unless that is the home directory, lies
 * inside a runtime directory or holds nothing but local logs; undefined when there is none.
 */
export function findProject(cwd: string, home: string): string | undefined {
  for (let directory = cwd; ; directory = dirname(directory)) {
    const own = join(directory, OWN_DIRECTORY);
    if (isDirectory(own) && mayBeProject(directory, home) && !holdsLogsAlone(own)) return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

/** Judged by real paths too: a home reached through a link is still the home. */
function mayBeProject(directory: string, home: string): boolean {
  if (directory === home || isInRuntime(directory)) return false;
  const real = realPath(directory);
  return real !== realPath(home) && !isInRuntime(real);
}

/** A log that was written here for want of a better place makes no project. */
function holdsLogsAlone(own: string): boolean {
  if (!existsSync(join(own, LOCAL_LOGS))) return false;
  try {
    return readdirSync(own).every((name) => name === LOCAL_LOGS);
  } catch {
    // What cannot be listed is judged by its name, as it is without logs.
    return false;
  }
}

/** True for a runtime directory and everything below it, going by the spelling of the path. */
export function isInRuntime(directory: string): boolean {
  return `${directory}${sep}`.includes(`${sep}${OWN_DIRECTORY}${sep}runtime${sep}`);
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
