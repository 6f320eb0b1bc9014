// The identity of everything in a skill that can change what it does. Wider than the hash of its sources: a script can
// read hidden files and modules too.

import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { hashFileInside, hashTree, walkTree } from '../../base/files/index.ts';

/** Hidden from everything that runs in a sandbox, and so of no account here. */
export const MASKED_NAME = '.git';

/**
 * SHA-256 over all entries of a skill except those below `except`, which it may change itself. E015 when something
 * cannot be read or there is too much of it.
 */
export function skillDigest(dir: string, except: readonly string[] = []): string {
  const { entries, truncated } = walkTree(dir, { ignores: (name) => name === MASKED_NAME });
  if (truncated)
    throw SkillwrightError.of('E015', { path: dir, why: 'too many files, or too deeply nested' });
  const counted = entries.filter(
    ({ path }) => !except.some((own) => path === own || path.startsWith(`${own}/`)),
  );
  return hashTree(
    counted.map(({ path, kind, why }) => {
      if (kind === 'unreadable') throw SkillwrightError.of('E015', { path, why: why ?? 'unreadable' });
      if (kind === 'file') return { path, sha256: hashFileInside(dir, path) ?? 'gone' };
      const target = kind === 'directory' || kind === 'special' ? '' : readlinkSync(join(dir, path));
      return { path, sha256: `${kind} ${target}` };
    }),
  );
}
