// The files of an installed skill against the lock.

import { join } from 'node:path';
import { attempt } from '../../../base/diagnostics/index.ts';
import {
  compareBytes,
  type HashedFile,
  hasExecuteBit,
  hashTree,
  readInside,
  walkTree,
} from '../../../base/files/index.ts';
import type { LockedSkill } from '../lock/lock.ts';
import { integrityOf } from '../place/stored-files.ts';

/** How files differ from what was installed. Every list is in bytewise order. */
export interface FileDrift {
  readonly modified: string[];
  readonly missing: string[];
  readonly extra: string[];
  /** Edits that an update has kept: known, and no drift. */
  readonly edited: string[];
  /** The hash a build of these files would write down. */
  readonly sourceHash: string;
}

/** True when nothing differs but edits that are known. */
export function isIntact({
  modified,
  missing,
  extra,
}: Pick<FileDrift, 'modified' | 'missing' | 'extra'>): boolean {
  return modified.length + missing.length + extra.length === 0;
}

/** Compares the skill in `dir` with its entry. Total: what cannot be read counts as modified. */
export function compareWithLock(dir: string, entry: LockedSkill): FileDrift {
  const drift = {
    modified: [] as string[],
    missing: [] as string[],
    extra: [] as string[],
    edited: [] as string[],
  };
  const seen = new Set<string>();
  const hashed: HashedFile[] = [];
  const { entries, truncated } = walkTree(dir);
  for (const { path, kind } of entries) {
    if (kind === 'directory') continue;
    seen.add(path);
    const integrity = kind === 'file' ? hashInside(dir, path) : undefined;
    if (integrity !== undefined) hashed.push({ path, sha256: integrity.slice(7) });
    const locked = Object.hasOwn(entry.files, path) ? entry.files[path] : undefined;
    const edit = Object.hasOwn(entry.edits, path) ? entry.edits[path] : undefined;
    if (integrity !== undefined && integrity === locked && hasMode(dir, path, entry)) continue;
    if (integrity !== undefined && integrity === edit) drift.edited.push(path);
    else if (path === '') continue;
    else (locked === undefined ? drift.extra : drift.modified).push(path);
  }
  for (const path of Object.keys(entry.files)) {
    if (seen.has(path)) continue;
    (entry.edits[path] === null ? drift.edited : drift.missing).push(path);
  }
  if (truncated) drift.extra.push('…');
  for (const list of Object.values(drift)) list.sort(compareBytes);
  return { ...drift, sourceHash: hashTree(hashed) };
}

function hasMode(dir: string, path: string, { executable }: LockedSkill): boolean {
  return process.platform === 'win32' || hasExecuteBit(join(dir, path)) === executable.includes(path);
}

function hashInside(dir: string, path: string): string | undefined {
  const bytes = attempt(() => readInside(dir, path, { maxBytes: Number.MAX_SAFE_INTEGER }));
  return bytes === undefined ? undefined : integrityOf(bytes);
}
