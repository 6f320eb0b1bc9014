// Cache files kept between starts. Losing one only costs time.

import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { discardTemporary, sha256, temporaryBeside } from '../../base/files/index.ts';

/** Content of a cache file: skills that were found, or their words. */
type CacheKind = 'skills' | 'words';

/** Files not written for this long are removed. */
const KEEP_MS = 60 * 24 * 3600 * 1000;

/** The cache file of a canonical root. */
export function cachePath(directory: string, kind: CacheKind, root: string): string {
  return join(directory, `${kind}-${sha256(root).slice(0, 16)}`);
}

/**
 * Replaces a cache file atomically. Does not sync to disk: the reader detects a file that a crash cut short.
 * A failed write is ignored. Never throws.
 */
export function writeCacheFile(path: string, parts: Iterable<string | Uint8Array>): void {
  const temporary = temporaryBeside(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    removeOld(dirname(path));
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      for (const part of parts) writeFileSync(descriptor, part);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch {
    // A full or read-only disk.
    discardTemporary(temporary);
  }
}

function removeOld(directory: string): void {
  const oldest = Date.now() - KEEP_MS;
  for (const name of readdirSync(directory)) {
    if (!/^(?:skills|words)-[0-9a-f]{16}$|^\.(?:skills|words)-.*\.tmp$/.test(name)) continue;
    const path = join(directory, name);
    const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? oldest;
    if (written < oldest) rmSync(path, { force: true });
  }
}
