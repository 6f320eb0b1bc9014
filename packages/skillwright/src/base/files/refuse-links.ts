// Refuses links in directories that someone else may have prepared.

import { lstatSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { SkillwrightError } from '../diagnostics/index.ts';
import { isMissing, readError } from './system-error.ts';

/** The first link on the way from `root` down to `path`, which lies below it; `root` itself may be one. */
export function findLink(root: string, path: string): string | undefined {
  let place = root;
  for (const name of relative(root, path).split(sep)) {
    place = join(place, name);
    try {
      const status = lstatSync(place, { throwIfNoEntry: false });
      if (status === undefined) return undefined;
      if (status.isSymbolicLink()) return place;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw readError(place, error);
    }
  }
  return undefined;
}

/** E017 when something between `root` and `path`, or `path` itself, is a link. */
export function refuseLinks(root: string, path: string): void {
  const link = findLink(root, path);
  if (link !== undefined) throw SkillwrightError.of('E017', { path: link });
}
