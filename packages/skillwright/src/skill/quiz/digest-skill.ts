// One digest for all files of a skill: whatever is edited, it is another one.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { hashFileInside, hashTree, walkTree } from '../../base/files/index.ts';

/** The digest of the skill in `dir` as it is now: the `source_hash` of a build of these files. */
export function digestSkill(dir: string): string {
  const files = walkTree(dir).entries.filter(({ kind }) => kind === 'file');
  return hashTree(files.map(({ path }) => ({ path, sha256: hashFile(dir, path) })));
}

/** What cannot be read counts as one content of its own, so that a skill with such a file has a digest too. */
function hashFile(dir: string, path: string): string {
  try {
    return hashFileInside(dir, path) ?? 'missing';
  } catch (error) {
    if (error instanceof SkillwrightError) return error.code;
    throw error;
  }
}
