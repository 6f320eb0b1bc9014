// How a file or directory looked, to tell later whether it may have changed.

import type { Stats } from 'node:fs';

/** Modification, change of the file's record, size and number: none of them alone tells every change. */
export type FileStamp = readonly [mtimeMs: number, ctimeMs: number, size: number, inode: number];

/** File systems tell times apart no finer than this, and the coarse ones keep whole seconds. */
const FINE_CLOCK_MS = 50;
const COARSE_CLOCK_MS = 2500;

/**
 * The stamp of something that was looked at when the clock said `now`. Undefined when it changed just before: it may
 * change again within the same tick of its clock, and look the same.
 */
export function makeStamp({ mtimeMs, ctimeMs, size, ino }: Stats, now: number): FileStamp | undefined {
  const tick = ctimeMs % 1000 === 0 ? COARSE_CLOCK_MS : FINE_CLOCK_MS;
  return ctimeMs > now - tick ? undefined : [mtimeMs, ctimeMs, size, ino];
}

/** True when something still looks as it did. */
export function isUnchanged(stamp: FileStamp | undefined, status: Stats): boolean {
  return (
    stamp !== undefined &&
    stamp[0] === status.mtimeMs &&
    stamp[1] === status.ctimeMs &&
    stamp[2] === status.size &&
    stamp[3] === status.ino
  );
}
