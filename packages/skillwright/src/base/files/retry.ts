// The one way to try again: a fixed number of tries, counted instead of timed, because a clock may jump.

import { existsSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { statusAt } from './paths.ts';
import { systemErrorCode } from './system-error.ts';

/** When to try again. */
interface Tries {
  readonly most: number;
  readonly pauseMs?: number;
  /** Doubles the pause after every try, up to this. */
  readonly maxPauseMs?: number;
  /** Whether another try may succeed after this error. May put right what stood in the way. */
  readonly mayPass: (error: unknown) => boolean;
}

const never = new Int32Array(new SharedArrayBuffer(4));

/** Stops the whole thread for this long. */
export function sleepSync(milliseconds: number): void {
  Atomics.wait(never, 0, 0, milliseconds);
}

/** The result of the first try that succeeds; the error of the last one. Stops the thread between tries. */
export function retrySync<Result>(work: () => Result, tries: Tries): Result {
  for (let tried = 1; ; tried++) {
    try {
      return work();
    } catch (error) {
      if (tried >= tries.most || !tries.mayPass(error)) throw error;
      const pause = pauseAfter(tried, tries);
      if (pause > 0) sleepSync(pause);
    }
  }
}

/** Like `retrySync`, without stopping the thread. */
export async function retry<Result>(work: () => Result | Promise<Result>, tries: Tries): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (tried >= tries.most || !tries.mayPass(error)) throw error;
      await delay(pauseAfter(tried, tries));
    }
  }
}

function pauseAfter(tried: number, { pauseMs = 0, maxPauseMs = pauseMs }: Tries): number {
  return Math.min(pauseMs * 2 ** (tried - 1), maxPauseMs);
}

/** A look at something that another process may be changing. */
interface Look<Result> {
  readonly result: Result;
  /** Whether nothing changed during the look. */
  readonly isSettled: boolean;
}

/** Looks again until nothing changes meanwhile. The last of `most` looks counts in any case. */
export function untilSettled<Result>(most: number, look: () => Look<Result>): Result {
  for (let tried = 1; ; tried++) {
    const { result, isSettled } = look();
    if (isSettled || tried >= most) return result;
  }
}

/** Like `untilSettled`, for a look that takes time. */
export async function whenSettled<Result>(most: number, look: () => Promise<Look<Result>>): Promise<Result> {
  for (let tried = 1; ; tried++) {
    const { result, isSettled } = await look();
    if (isSettled || tried >= most) return result;
  }
}

// Windows refuses to rename or delete what another process has open. Most processes close a file soon, so every change of
// a name tries again, with growing pauses. Elsewhere these errors are final, and nothing waits.

const refusals = new Set(['EPERM', 'EACCES', 'EBUSY', 'ENOTEMPTY']);

/** True for an error that means, on Windows, that another process has a file open. */
export function isOpenElsewhere(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' && refusals.has(systemErrorCode(error) ?? '');
}

/** About two seconds in total. */
const whileOpen: Tries = {
  most: 16,
  pauseMs: 1,
  maxPauseMs: 250,
  mayPass: (error) => isOpenElsewhere(error),
};

/** `renameSync`, tried again while the file or the one in its place is open elsewhere. */
export function renamePath(from: string, to: string): void {
  retrySync(() => renameSync(from, to), whileOpen);
}

/** `rmSync`, tried again while something there is open elsewhere. */
export function removePath(path: string, options: { recursive?: boolean; force?: boolean } = {}): void {
  retrySync(() => removeOnce(path, options), whileOpen);
}

/** Removes a directory if nothing is in it. False if it stays, or was not there. */
export function removeIfEmpty(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'].includes(systemErrorCode(error) ?? '')) throw error;
    return false;
  }
}

function removeOnce(path: string, options: { recursive?: boolean; force?: boolean }): void {
  try {
    rmSync(path, options);
    // Bun removes a directory with a call that not every Windows has. With `force`, it may miss it and say nothing.
    const mayMiss = process.platform === 'win32' && options.recursive === true && options.force === true;
    if (mayMiss && statusAt(path) !== undefined) removeTree(path);
  } catch (error) {
    const code = systemErrorCode(error);
    // Nothing is below a file. On Linux, Bun says EFAULT then.
    const isBelowFile = code === 'ENOTDIR' || (code === 'EFAULT' && process.platform !== 'win32');
    if (options.force === true && isBelowFile && !existsSync(path)) return;
    const isMissed = code === 'EFAULT' || code === 'ENOENT';
    if (options.recursive !== true || !isMissed || statusAt(path) === undefined) throw error;
    removeTree(path);
  }
}

/** Removes a file, or a directory one entry at a time; what links lead to stays. */
function removeTree(path: string): void {
  if (statusAt(path)?.isDirectory()) {
    for (const entry of readdirSync(path)) removeTree(join(path, entry));
    rmdirSync(path);
  } else unlinkSync(path);
}
