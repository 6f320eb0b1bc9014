// The path that identifies a file or directory: links resolved.

import { realpathSync } from 'node:fs';
import { readError } from './system-error.ts';

/** The path as the disk knows it. E015 when nothing is there, or it cannot be looked at. */
export function canonicalPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    throw readError(path, error);
  }
}
