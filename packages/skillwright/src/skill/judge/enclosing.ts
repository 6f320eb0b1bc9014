// Skills that lie inside other skills: each file is judged by every skill it lies in.

import { basename, dirname } from 'node:path';
import { isIgnoredName } from '../../base/files/index.ts';
import { isSkill } from '../skill/index.ts';

/** The directories of the skills that a canonical directory lies in, the innermost first. */
export type FindEnclosing = (dir: string) => readonly string[];

/** Makes a finder that looks at each directory once. Hidden directories and node_modules are not part of a skill. */
export function createEnclosureFinder(): FindEnclosing {
  /** The skills at or around a directory, for every directory that holds what was asked about. */
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
