// Nested skills: a file is subject to every skill that contains it.

import { basename, dirname } from 'node:path';
import { isIgnoredName } from '../../base/files/index.ts';
import { isSkill } from '../skill/index.ts';

/** Directories of the skills that contain a canonical directory, innermost first. */
export type FindEnclosing = (dir: string) => readonly string[];

/** Creates a finder that reads each directory once. Hidden directories and node_modules are not part of a skill. */
export function createEnclosureFinder(): FindEnclosing {
  /** Skills at or around a directory, by directory. */
  const known = new Map<string, readonly string[]>();
  const atOrAround = (dir: string): readonly string[] => {
    const before = known.get(dir);
    if (before !== undefined) return before;
    const found = [...(isSkill(dir) ? [dir] : []), ...around(dir)];
    known.set(dir, found);
    return found;
  };
  const around = (dir: string): readonly string[] => {
    const above = dirname(dir);
    return above === dir || isIgnoredName(basename(dir)) ? [] : atOrAround(above);
  };
  return around;
}
