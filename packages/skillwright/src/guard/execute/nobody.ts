// The user that code of skills runs as.

import { dirname } from 'node:path';
import { targetAt } from '../../base/files/index.ts';

/** Number of the user, and of its group, inside a sandbox; also outside where root starts one. */
export const NOBODY = 65534;

/** Whether that user, who does not own it, may read a path and enter the directories above. */
export function isOpenToNobody(path: string, wanted = 0o5): boolean {
  const status = targetAt(path);
  if (status === undefined || status.uid === NOBODY) return false;
  const bits = status.isDirectory() ? wanted : 0o4;
  const mode = status.gid === NOBODY ? status.mode >> 3 : status.mode;
  return (mode & bits) === bits && (path === '/' || isOpenToNobody(dirname(path), 0o1));
}
