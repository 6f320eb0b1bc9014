// Stamps of files and directories, to detect changes later.

import type { Stats } from 'node:fs';

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
