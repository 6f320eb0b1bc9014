// What a link says.

import { realpathSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { isInside, realPathAhead } from '../../base/files/index.ts';

/**
 * The text of a link at `path` that leads to `target`: relative where both lie in the project, so that it can be moved.
 * Judged by real paths: a relative link starts from where its directory really is.
 */
export function linkText(path: string, target: string, project: string | undefined): string {
  if (project === undefined || process.platform === 'win32') return target;
  const [root, from] = [project, dirname(path)].map((place) => realpathSync.native(place));
  // In a clone the link can be there before what it leads to.
  const to = realPathAhead(target);
  return isInside(root!, from!) && isInside(root!, to) ? relative(from!, to) : target;
}
