// The text of a link.

import { realpathSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { isInside, realPathAhead } from '../../base/files/index.ts';

/**
 * The text of a link at `path` to `target`: relative if both are in the project, so that the project can be moved.
 * Uses real paths: a relative link starts at the real path of its directory.
 */
export function linkText(path: string, target: string, project: string | undefined): string {
  if (project === undefined || process.platform === 'win32') return target;
  const [root, from] = [project, dirname(path)].map((place) => realpathSync.native(place));
  // In a clone, the link can exist before its target.
  const to = realPathAhead(target);
  return isInside(root!, from!) && isInside(root!, to) ? relative(from!, to) : target;
}
