// File status without following links.

import { lstatSync, type Stats } from 'node:fs';
import { isMissing, readError, systemErrorCode } from './system-error.ts';

/**
 * The status of what stands at a path. Undefined when nothing does, also where a part of the path is a file, or where no
 * file system can name it. E015 when it cannot be looked at.
 */
export function statusAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error) || systemErrorCode(error) === 'ENAMETOOLONG') return undefined;
    throw readError(path, error);
  }
}

/** Whether anything stands at a path, a link that leads nowhere included. */
export function isThere(path: string): boolean {
  return statusAt(path) !== undefined;
}
