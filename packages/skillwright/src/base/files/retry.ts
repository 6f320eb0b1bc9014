// The one way to try again: a fixed number of tries, counted instead of timed, because a clock may jump.

import { setTimeout as delay } from 'node:timers/promises';

/** When to try again. */
export interface Tries {
  readonly most: number;
  readonly pauseMs?: number;
  /** Whether another try may succeed after this error. May put right what stood in the way. */
  readonly mayPass: (error: unknown) => boolean;
}

const never = new Int32Array(new SharedArrayBuffer(4));

/** Stops the whole thread for this long. */
export function sleepSync(milliseconds: number): void {
  Atomics.wait(never, 0, 0, milliseconds);
}

/** The result of the first try that succeeds; the error of the last one. Stops the thread between tries. */
export function retrySync<Result>(work: () => Result, { most, pauseMs = 0, mayPass }: Tries): Result {
  for (let tried = 1; ; tried++) {
    try {
      return work();
    } catch (error) {
      if (tried >= most || !mayPass(error)) throw error;
      if (pauseMs > 0) sleepSync(pauseMs);
    }
  }
}

/** Like `retrySync`, without stopping the thread. */
export async function retry<Result>(
  work: () => Result | Promise<Result>,
  { most, pauseMs = 0, mayPass }: Tries,
): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (tried >= most || !mayPass(error)) throw error;
      await delay(pauseMs);
    }
  }
}
