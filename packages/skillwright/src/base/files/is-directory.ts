// Tests for a directory.

import { statSync } from 'node:fs';

/** True for a directory, also one reached through a link; false for anything else or nothing. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // No permission, a loop of links, an invalid name: not usable as a directory.
    return false;
  }
}
