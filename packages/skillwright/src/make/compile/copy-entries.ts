// Copies files of a skill.

import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readInside, type TreeEntry } from '../../base/files/index.ts';

/** Replaces links by their targets; opens each file so that a link swapped in meanwhile cannot lead out. */
export function copyEntries(from: string, to: string, entries: readonly TreeEntry[]): void {
  for (const { path, kind } of entries) {
    if (kind === 'directory') mkdirSync(join(to, path), { recursive: true });
    if (kind !== 'file') continue;
    const bytes = readInside(from, path, { maxBytes: Number.MAX_SAFE_INTEGER });
    if (bytes !== undefined)
      writeFileSync(join(to, path), bytes, { mode: statSync(join(from, path)).mode & 0o777 });
  }
}
