// A path as the disk knows it.

import { realpathSync } from 'node:fs';

/** The path with links resolved; as it is spelled when nothing is there, or it cannot be looked at. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
