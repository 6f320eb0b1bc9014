// The one way to try again: a fixed number of tries, counted instead of timed, because a clock may jump.

import { setTimeout as delay } from 'node:timers/promises';

/** When to try again. */
export interface Tries {
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
