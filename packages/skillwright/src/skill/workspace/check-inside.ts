// A third-party project may contain links where skc writes.

import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isInside, isMissing, readError } from '../../base/files/index.ts';

/** E016 when a path of a project, or its nearest existing parent, is really outside the project. */
export function checkInside(project: string, path: string): void {
  for (let place = path; isInside(project, place); place = join(place, '..')) {
    try {
      if (!isInside(realpathSync.native(project), realpathSync.native(place))) throw leadsOut(path);
      return;
    } catch (error) {
      if (!isMissing(error)) throw readError(path, error);
    }
  }
}

/** E016 for a path outside the project. */
export function leadsOut(path: string): SkillwrightError {
  return SkillwrightError.of('E016', { path, why: 'it leads out of the project' });
}
