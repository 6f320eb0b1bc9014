// A synchronous sleep.

const never = new Int32Array(new SharedArrayBuffer(4));

/** Stops the whole thread for this long. */
export function sleepSync(milliseconds: number): void {
  Atomics.wait(never, 0, 0, milliseconds);
}
