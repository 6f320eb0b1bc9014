// Tests whether a path in a text is a file below a directory.

import { statSync } from 'node:fs';
import { SkillwrightError } from '../diagnostics/index.ts';
import { resolveInside } from './contained-path.ts';

/** Where a path from `root` leads: to a file inside, to nothing, or out of it. */
export function locateFile(root: string, path: string): 'file' | 'nothing' | 'outside' {
  try {
    const real = resolveInside(root, path);
    return real !== undefined && statSync(real).isFile() ? 'file' : 'nothing';
  } catch (error) {
    return error instanceof SkillwrightError && error.code === 'E012' ? 'outside' : 'nothing';
  }
}
