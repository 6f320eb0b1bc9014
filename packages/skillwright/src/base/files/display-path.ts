// How a path is told to somebody in a working directory.

import { isAbsolute, relative, sep } from 'node:path';

/** Relative to the working directory where the path lies below it, absolute elsewhere. */
export function displayPath(cwd: string, path: string): string {
  const difference = relative(cwd, path);
  if (difference === '') return '.';
  return difference === '..' || difference.startsWith(`..${sep}`) || isAbsolute(difference)
    ? path
    : difference;
}
