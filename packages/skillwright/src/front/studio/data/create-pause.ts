// Lets requests through while long work is done in the same process.

import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work may keep the process busy for this long. */
const BUSY_MS = 8;

/** A function to await between small pieces of work: it waits only when others have had no turn for a while. */
export function createPause(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < BUSY_MS) return;
    await nextTurn();
    since = performance.now();
  };
}
