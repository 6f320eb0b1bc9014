// Reads directories and files of a root, only when they differ from what is known.

import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { MAX_TEXT_BYTES, tooLarge } from '../../base/files/index.ts';
import { isMisspelled } from '../../skill/skill/index.ts';

/** Modification time, change time, size and inode: none of them alone shows every change. */
export type FileStamp = readonly [mtimeMs: number, ctimeMs: number, size: number, inode: number];

/** Coarsest resolution of file times; some file systems keep whole seconds. */
const FINE_CLOCK_MS = 50;
const COARSE_CLOCK_MS = 2500;

/**
 * The stamp of a file checked at the time `now`. Undefined when it changed just before: it may change again within
 * the same clock tick and look the same.
 */
export function makeStamp({ mtimeMs, ctimeMs, size, ino }: Stats, now: number): FileStamp | undefined {
  const tick = ctimeMs % 1000 === 0 ? COARSE_CLOCK_MS : FINE_CLOCK_MS;
  return ctimeMs > now - tick ? undefined : [mtimeMs, ctimeMs, size, ino];
}

/** True when the stamps are equal. */
export function isUnchanged(stamp: FileStamp | undefined, status: Stats): boolean {
  return (
    stamp !== undefined &&
    stamp[0] === status.mtimeMs &&
    stamp[1] === status.ctimeMs &&
    stamp[2] === status.size &&
    stamp[3] === status.ino
  );
}

/** The directories and links in a directory, sorted. */
export interface DirectoryListing {
  readonly directories: readonly string[];
  readonly links: readonly string[];
  /** Files that would be SKILL.md if spelled correctly. */
  readonly misspelled: readonly string[];
  /** Stamp of the directory; undefined when it may change again without a visible difference. */
  readonly stamp: FileStamp | undefined;
}

/** Lists a directory. Throws system errors. */
type DirectoryLister = (dir: string) => DirectoryListing;

/** Creates a lister that reads a directory only when it differs from the `known` listing. */
export function createDirectoryLister(known: ReadonlyMap<string, DirectoryListing>): DirectoryLister {
  return (dir) => {
    const now = Date.now();
    const status = statSync(dir);
    const before = known.get(dir);
    if (before !== undefined && isUnchanged(before.stamp, status)) return before;
    const directories: string[] = [];
    const links: string[] = [];
    const misspelled: string[] = [];
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const { name } = entry;
      if (entry.isDirectory()) directories.push(name);
      else if (entry.isSymbolicLink()) links.push(name);
      else if (isMisspelled(name)) misspelled.push(name);
    }
    return {
      directories: directories.sort(),
      links: links.sort(),
      misspelled: misspelled.sort(),
      stamp: makeStamp(status, now),
    };
  };
}

/** A file's bytes and stamp. */
export interface SkillFile {
  /** Valid until the next file is read. */
  readonly bytes: Buffer;
  readonly mtimeMs: number;
  readonly stamp: FileStamp | undefined;
}

const SPACE_BYTES = 1024 * 1024;

/**
 * Creates a reader of regular files that does not follow links. It reuses one buffer, because thousands of small
 * buffers would burden the garbage collector. E015 when the path is not a file or is too large; else throws system errors.
 */
export function createFileReader(): (path: string) => SkillFile {
  let space: Buffer | undefined;
  return (path) => {
    const now = Date.now();
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const descriptor = openSync(path, flags);
    try {
      const status = fstatSync(descriptor);
      if (!status.isFile()) throw SkillwrightError.of('E015', { path, why: 'not a regular file' });
      const { size } = status;
      if (size > MAX_TEXT_BYTES) throw tooLarge(path, MAX_TEXT_BYTES);
      if (size <= SPACE_BYTES) space ??= Buffer.allocUnsafeSlow(SPACE_BYTES);
      const target = size <= SPACE_BYTES && space !== undefined ? space : Buffer.allocUnsafeSlow(size);
      let length = 0;
      // Bytes added during the read show in the stamp next time.
      while (length < size) {
        const count = readSync(descriptor, target, length, size - length, null);
        if (count === 0) break;
        length += count;
      }
      const bytes = target.subarray(0, length);
      return { bytes, mtimeMs: status.mtimeMs, stamp: makeStamp(status, now) };
    } finally {
      closeSync(descriptor);
    }
  };
}
