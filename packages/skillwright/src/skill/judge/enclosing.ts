// Nested skills: a file is subject to every skill that contains it.

import { basename, dirname } from 'node:path';
import { isIgnoredName } from '../../base/files/index.ts';
import { isSkill } from '../skill/index.ts';

/** Directories of the skills that contain a canonical directory, innermost first. */
export type FindEnclosing = (dir: string) => readonly string[];

/** Creates a finder that reads each directory once. Hidden directories and node_modules are not part of a skill. */
export function createEnclosureFinder(): FindEnclosing {
  /** Skills at or around a directory, by directory: most skills share a parent. */
  const known = new Map<string, readonly string[]>();
  return (dir) => {
    const parent = dirname(dir);
    if (parent === dir || isIgnoredName(basename(dir))) return [];
    const before = known.get(parent);
    if (before !== undefined) return before;
    const places = [parent];
    for (let at = parent; dirname(at) !== at && !isIgnoredName(basename(at)); at = dirname(at))
      places.push(dirname(at));
    const found = places.filter(isSkill);
    known.set(parent, found);
    return found;
  };
}
