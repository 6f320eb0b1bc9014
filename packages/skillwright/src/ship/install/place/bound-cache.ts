// Keeping the cache of contents below its limit: what was used longest ago goes first.

import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compareBytes, isThere, namesIn } from '../../../base/files/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';
import { contentRoot, takeWritten } from './content-cache.ts';

/** How full the cache is after it was pruned, so that it is not pruned again by the next file. */
const FILL = 0.9;

/** A file of the cache. */
export interface CachedFile {
  readonly path: string;
  readonly bytes: number;
  /** When it was written or read last, in milliseconds. */
  readonly used: number;
}

/** What is in the cache, the longest unused first. Files that skc did not put there are not looked at. */
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

/** The bytes of files together. */
export function sumBytes(files: readonly CachedFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Removes files of the cache; gives those that are gone. Losing one costs a download. */
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
