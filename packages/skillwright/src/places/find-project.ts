// Where a project begins.

import { statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** The directory, in a project or in the home directory, that belongs to skc. */
export const OWN_DIRECTORY = '.skillc';

/**
 * The nearest ancestor of `cwd` (itself included) with a `.skillc/` directory, unless that is the home directory or lies
 * inside a runtime directory; undefined when there is none.
 */
export function findProject(cwd: string, home: string): string | undefined {
  for (let directory = cwd; ; directory = dirname(directory)) {
    if (directory !== home && isDirectory(join(directory, OWN_DIRECTORY)) && !isInRuntime(directory))
      return directory;
    if (dirname(directory) === directory) return undefined;
  }
}

function isInRuntime(directory: string): boolean {
  return `${directory}${sep}`.includes(`${sep}${OWN_DIRECTORY}${sep}runtime${sep}`);
}

/** True for a directory, also one reached through a link; false for anything else or nothing. */
export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
