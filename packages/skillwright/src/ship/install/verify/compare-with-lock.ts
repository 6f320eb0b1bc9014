// Compares the files of an installed skill with the lock.

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
import type { Acceptance } from '../lock/acceptance.ts';
import type { LockedSkill } from '../lock/lock.ts';
import { contentOf } from '../place/placed-record.ts';
import { describeFiles, integrityOf, readSkillFiles } from '../place/stored-files.ts';

/** Differences from the installed files. Every list is in bytewise order. */
export interface FileDrift {
  readonly modified: string[];
  readonly missing: string[];
  readonly extra: string[];
  /** Edits that an update has kept: known, so not drift. */
  readonly edited: string[];
  /** Files as skc wrote them under an earlier lock: not edits, and replaced without asking. */
  readonly behind: string[];
  /** The hash that a build of these files would record. */
  readonly sourceHash: string;
}

/** True when only known edits differ. */
export function isIntact({
  modified,
  missing,
  extra,
  behind,
}: Pick<FileDrift, 'modified' | 'missing' | 'extra' | 'behind'>): boolean {
  return modified.length + missing.length + extra.length + behind.length === 0;
}

/**
 * Compares the skill in `dir` with its entry, and with the entry that skc last wrote there. Total: an unreadable file
 * counts as modified.
 */
export function compareWithLock(
  dir: string,
  entry: LockedSkill,
  placed: LockedSkill | undefined = { ...entry, edits: {} },
): FileDrift {
  const drift = {
    modified: [] as string[],
    missing: [] as string[],
    extra: [] as string[],
    edited: [] as string[],
    behind: [] as string[],
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
    const isEdit = Object.hasOwn(entry.edits, path);
    if (integrity !== undefined && integrity === contentOf(entry, path)) {
      if (isEdit) drift.edited.push(path);
      else if (!hasMode(dir, path, entry))
        (contentOf(placed, path) !== undefined && hasMode(dir, path, placed)
          ? drift.behind
          : drift.modified
        ).push(path);
    } else if (integrity !== undefined && integrity === contentOf(placed, path)) drift.behind.push(path);
    else if (path !== '') (locked === undefined && !isEdit ? drift.extra : drift.modified).push(path);
  }
  for (const path of new Set([...Object.keys(entry.files), ...Object.keys(entry.edits)])) {
    if (seen.has(path)) continue;
    (contentOf(entry, path) === undefined ? drift.edited : drift.missing).push(path);
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

/** True while the file of the skill in `dir`, or for the file `.` the whole skill, has the accepted content. */
export function isHeld(dir: string, { file, digest }: Pick<Acceptance, 'file' | 'digest'>): boolean {
  const found = attempt(() => {
    if (file === '.') return describeFiles(readSkillFiles(dir)).digest;
    const bytes = readInside(dir, file, { maxBytes: Number.MAX_SAFE_INTEGER });
    return bytes === undefined ? undefined : integrityOf(bytes);
  });
  return found === digest;
}
