// Time limits of a request: in total, and without any data.

/** A running clock; `signal` is aborted when time is up, with the reason as text. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Restarts the idle clock: data arrived. */
  touch(): void;
  /** The promise, or a rejection as soon as time is up. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  /** Why time is up; undefined while it is not. */
  readonly why: string | undefined;
  stop(): void;
}

/** Starts the clock. `outer` ends it early. Times are in milliseconds. */
export function startDeadline(
  total: number,
  idle: number,
  options: { outer?: AbortSignal | undefined } = {},
): Deadline {
  const { outer } = options;
  const controller = new AbortController();
  let why: string | undefined;
  const end = (reason: string) => {
    why ??= reason;
    controller.abort();
  };
  const seconds = (time: number) => `${Math.round(time / 100) / 10} s`;
  const whole = setTimeout(() => end(`timed out after ${seconds(total)}`), total);
  const quiet = setTimeout(() => end(`timed out: nothing arrived for ${seconds(idle)}`), idle);
  const cancel = () => end('cancelled');
  if (outer?.aborted) cancel();
  else outer?.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    get why() {
      return why;
    },
    touch: () => void quiet.refresh(),
    race: (promise) =>
      new Promise((resolve, reject) => {
        const fail = () => reject(new Error(why));
        if (controller.signal.aborted) fail();
        controller.signal.addEventListener('abort', fail, { once: true });
        promise.then(resolve, reject).finally(() => controller.signal.removeEventListener('abort', fail));
      }),
    stop() {
      clearTimeout(whole);
      clearTimeout(quiet);
      outer?.removeEventListener('abort', cancel);
    },
  };
}
