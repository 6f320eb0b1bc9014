// Paths a lock may contain: none that escape, and none that belong to one machine.

import { isIgnoredName } from '../../../base/files/index.ts';

const MAX_PATH = 1024;

/** Segments separated by `/`, without `.` or `..`. */
function isRelative(path: string): boolean {
  return (
    path.length <= MAX_PATH &&
    !/[\\\p{Cc}]/u.test(path) &&
    !/^[a-z]:/i.test(path) &&
    path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  );
}

/** True for the path of a file that can be part of a skill. */
export function isLockPath(path: string): boolean {
  return (
    isRelative(path) && !path.split('/').some((segment) => isIgnoredName(segment) || segment === '__proto__')
  );
}

/** True for a path inside a source; the empty text is its root. */
export function isSourcePath(path: string): boolean {
  return path === '' || isRelative(path);
}

/** True for an agent's id, and for a directory below the project (`./…`) or the home directory (`~/…`). */
export function isTargetWord(word: string): boolean {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(word)) return true;
  return /^[.~]\//.test(word) && isRelative(word.slice(2));
}
