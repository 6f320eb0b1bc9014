// Token buckets in memory: they fill evenly over a minute.

/** Requests left after this one: below zero it is refused. `reset` is in seconds. */
export interface Count {
  readonly remaining: number;
  readonly reset: number;
}

export interface Buckets {
  take(key: string, limit: number): Count;
  /** Takes a request back. */
  giveBack(key: string, limit: number): void;
}

/** Callers remembered at once; the one that asked least recently is forgotten. */
const MAX_CALLERS = 20_000;
const MINUTE = 60_000;

/** Buckets by caller. `limit` is the requests per minute. */
export function createBuckets(now: () => number): Buckets {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    take(key, limit) {
      const time = now();
      const known = buckets.get(key) ?? { left: limit, at: time };
      const left = Math.min(limit, known.left + ((time - known.at) / MINUTE) * limit);
      const isAllowed = left >= 1;
      buckets.delete(key);
      buckets.set(key, { left: isAllowed ? left - 1 : left, at: time });
      if (buckets.size > MAX_CALLERS) buckets.delete(buckets.keys().next().value!);
      const perRequest = MINUTE / limit / 1000;
      return isAllowed
        ? { remaining: Math.floor(left - 1), reset: Math.ceil((limit - left + 1) * perRequest) }
        : { remaining: -1, reset: Math.max(1, Math.ceil((1 - left) * perRequest)) };
    },
    giveBack(key, limit) {
      const known = buckets.get(key);
      if (known !== undefined) known.left = Math.min(limit, known.left + 1);
    },
  };
}
