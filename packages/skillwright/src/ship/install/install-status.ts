// What stands at a path, links not followed.

import { lstatSync, type Stats } from 'node:fs';
import { isMissing, readError } from '../../base/files/index.ts';

/** The status of what stands at a path; undefined when nothing does, also where a part of the path is a file. E015 otherwise. */
export function statusAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw readError(path, error);
  }
}

/** Whether anything stands at a path, a link that leads nowhere included. */
export function isThere(path: string): boolean {
  return statusAt(path) !== undefined;
}
