// Whether a directory is there.

import { statSync } from 'node:fs';

/** True for a directory, also one reached through a link; false for anything else or nothing. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // No permission, a loop of links, a name no file system takes: nothing that can be used as a directory.
    return false;
  }
}
