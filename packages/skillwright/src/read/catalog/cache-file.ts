// The files in which something is remembered between starts. Losing one costs time and nothing else.

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

/** What a file is about: skills that were found, or the words in them. */
export type CacheKind = 'skills' | 'words';

/** Files nobody has written for so long are removed. */
const KEEP_MS = 60 * 24 * 3600 * 1000;

/** The file about a canonical root. */
export function cachePath(directory: string, kind: CacheKind, root: string): string {
  return join(directory, `${kind}-${sha256(root).slice(0, 16)}`);
}

/**
 * Replaces a file of the cache in one step. Not synced to the disk: its reader can tell when a crash left a part of it.
 * What cannot be written is not remembered. Never throws.
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
