// Checks whether accepted content is unchanged.

import { attempt } from '../../../base/diagnostics/index.ts';
import { readInside } from '../../../base/files/index.ts';
import type { Acceptance } from '../lock/acceptance.ts';
import { describeFiles, integrityOf, readSkillFiles } from '../place/stored-files.ts';

/** True while the file of the skill in `dir`, or for the file `.` the whole skill, has the accepted content. */
export function isHeld(dir: string, { file, digest }: Pick<Acceptance, 'file' | 'digest'>): boolean {
  const found = attempt(() => {
    if (file === '.') return describeFiles(readSkillFiles(dir)).digest;
    const bytes = readInside(dir, file, { maxBytes: Number.MAX_SAFE_INTEGER });
    return bytes === undefined ? undefined : integrityOf(bytes);
  });
  return found === digest;
}
