// One digest for all files of a skill: whatever is edited, it is another one.

import { closeSync, openSync, readSync } from 'node:fs';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { resolveInside } from '../files/contained-path.ts';
import { createSha256, hashTree } from '../files/hash.ts';
import { describeSystemError } from '../files/system-error.ts';
import { walkTree } from '../files/walk-tree.ts';

const CHUNK_BYTES = 256 * 1024;

/** The digest of the skill in `dir` as it is now: the `source_hash` of a build of these files. */
export function digestSkill(dir: string): string {
  const files = walkTree(dir).entries.filter(({ kind }) => kind === 'file');
  return hashTree(files.map(({ path }) => ({ path, sha256: hashFile(dir, path) })));
}

/** What cannot be read counts as one content of its own, so that a skill with such a file has a digest too. */
function hashFile(dir: string, path: string): string {
  try {
    const real = resolveInside(dir, path);
    if (real === undefined) return 'missing';
    const descriptor = openSync(real, 'r');
    try {
      const hash = createSha256();
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk))
        hash.update(chunk.subarray(0, read));
      return hash.digest('hex');
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return error instanceof SkillwrightError ? error.code : describeSystemError(error);
  }
}
