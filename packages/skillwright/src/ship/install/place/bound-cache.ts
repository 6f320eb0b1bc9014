// Keeps the content cache below its limit: the least recently used files go first.

import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compareBytes, isThere, namesIn } from '../../../base/files/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import { contentRoot, takeWritten } from './content-cache.ts';

/** Fill level after pruning, so that the next file does not prune again. */
const FILL = 0.9;

/** A file of the cache. */
interface CachedFile {
  readonly path: string;
  readonly bytes: number;
  /** Time of the last read or write, in milliseconds. */
  readonly used: number;
}

/** The files of the cache, least recently used first. Files that skc did not put there are ignored. */
export function listCache(workspace: Pick<Workspace, 'user'>): CachedFile[] {
  const root = contentRoot(workspace);
  const files = namesIn(root, (name) => /^[0-9a-f]{64}$/.test(name)).flatMap((name): CachedFile[] => {
    const path = join(root, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found?.isFile() === true ? [{ path, bytes: found.size, used: found.mtimeMs }] : [];
  });
  return files.sort((a, b) => a.used - b.used || compareBytes(a.path, b.path));
}

/** The files to remove so that at most `maxBytes` are left. */
export function chooseUnused(files: readonly CachedFile[], maxBytes: number): CachedFile[] {
  let left = sumBytes(files);
  return files.filter(({ bytes }) => {
    if (left <= maxBytes) return false;
    left -= bytes;
    return true;
  });
}

/** Total size of files. */
export function sumBytes(files: readonly CachedFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Removes files of the cache; returns the removed ones. A lost file costs a download. */
export function removeCached(files: readonly CachedFile[]): CachedFile[] {
  return files.filter(({ path }) => {
    try {
      rmSync(path, { force: true });
    } catch {
      // It stays, and is not counted.
    }
    return !isThere(path);
  });
}

/** Prunes the cache if this process has written to it and it is over its limit. */
export async function boundCache(workspace: Workspace): Promise<void> {
  if (takeWritten(workspace) === 0) return;
  const { max_bytes: maxBytes } = (await workspace.config()).cache;
  const files = listCache(workspace);
  if (sumBytes(files) > maxBytes) removeCached(chooseUnused(files, maxBytes * FILL));
}
