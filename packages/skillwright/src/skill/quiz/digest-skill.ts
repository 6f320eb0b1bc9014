// One digest over all files of a skill: any edit changes it.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { hashFileInside, hashTree, walkTree } from '../../base/files/index.ts';

/** Digest of the current files of the skill in `dir`, equal to the `source_hash` of a build. */
export function digestSkill(dir: string): string {
  const files = walkTree(dir).entries.filter(({ kind }) => kind === 'file');
  return hashTree(files.map(({ path }) => ({ path, sha256: hashFile(dir, path) })));
}

/** An unreadable file has a fixed placeholder, so that its skill has a digest too. */
function hashFile(dir: string, path: string): string {
  try {
    return hashFileInside(dir, path) ?? 'missing';
  } catch (error) {
    if (error instanceof SkillwrightError) return error.code;
    throw error;
  }
}
