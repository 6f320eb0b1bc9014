// The identity of everything in a skill that can change what it does. Wider than the hash of its sources: a script can
// read hidden files and modules too.

import { closeSync, constants, openSync, readlinkSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { resolveInside } from '../files/contained-path.ts';
import { createSha256, hashTree } from '../files/hash.ts';
import { readError } from '../files/system-error.ts';
import { walkTree } from '../files/walk-tree.ts';

/** Hidden from everything that runs in a sandbox, and so of no account here. */
export const MASKED_NAME = '.git';

const CHUNK_BYTES = 1024 * 1024;

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
      if (kind === 'file') return { path, sha256: hashFile(dir, path) };
      const target = kind === 'directory' || kind === 'special' ? '' : readlinkSync(join(dir, path));
      return { path, sha256: `${kind} ${target}` };
    }),
  );
}

function hashFile(dir: string, path: string): string {
  const real = resolveInside(dir, path);
  if (real === undefined) return 'gone';
  const hasher = createSha256();
  try {
    const descriptor = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      for (;;) {
        const size = readSync(descriptor, chunk);
        if (size === 0) return hasher.digest('hex');
        hasher.update(chunk.subarray(0, size));
      }
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw readError(path, error);
  }
}
