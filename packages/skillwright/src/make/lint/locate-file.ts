// Whether what a skill names is one of its files.

import { statSync } from 'node:fs';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { resolveInside } from '../../base/files/index.ts';

/** Where a path from the skill's directory leads: to a file of the skill, to nothing, or out of the skill. */
export function locateFile(dir: string, path: string): 'file' | 'nothing' | 'outside' {
  try {
    const real = resolveInside(dir, path);
    return real !== undefined && statSync(real).isFile() ? 'file' : 'nothing';
  } catch (error) {
    return error instanceof SkillwrightError && error.code === 'E012' ? 'outside' : 'nothing';
  }
}
