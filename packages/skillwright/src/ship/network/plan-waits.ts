// Plans retries for servers that ask to wait: how often, and how long in total.

import { setTimeout as sleep } from 'node:timers/promises';
import type { FetchedHead, FetcherSettings, FetchOptions } from './fetcher.ts';
import { secondsToWait, unreachable } from './network-error.ts';

const RETRIES = 3;
/** Total time a request may wait. If the server asks for more, the user gets the error instead. */
const MAX_WAIT = 30_000;
const busy: ReadonlySet<number> = new Set([429, 503]);

/** Plans the waits of one request. Together they stay within its time limit. Times are in milliseconds. */
export function planWaits(settings: FetcherSettings, options: FetchOptions) {
  let left = settings.retries ?? RETRIES;
  let budget = Math.min(MAX_WAIT, options.timeout ?? MAX_WAIT);
  return {
    /** Time to wait before the next try; undefined when the response is final. */
    askedFor({ status, headers }: FetchedHead): number | undefined {
      if (left === 0 || !busy.has(status) || headers['retry-after'] === undefined) return undefined;
      const seconds = secondsToWait(headers);
      if (seconds === undefined || seconds * 1000 > budget) return undefined;
      left--;
      budget -= seconds * 1000;
      return seconds * 1000;
    },
    /** Waits. E200 when the request is cancelled while it waits. */
    async pause(url: string | URL, milliseconds: number): Promise<void> {
      settings.onWait?.({ url: String(url), milliseconds });
      const wait = settings.pause ?? ((time, signal) => sleep(time, undefined, { signal }));
      try {
        await wait(milliseconds, options.signal);
      } catch (error) {
        if (!options.signal?.aborted) throw error;
      }
      if (options.signal?.aborted) throw unreachable(url, 'cancelled');
    },
  };
}
