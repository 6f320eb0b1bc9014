// How often a caller may do something: a bucket for each that empties evenly over a time.

import { Failure } from '../base/index.ts';
import type { Store } from '../store/index.ts';
import type { Caller } from './caller.ts';

/** Requests left after this one: below zero it is refused. `reset` is in seconds. */
export interface Count {
  readonly remaining: number;
  readonly reset: number;
}

/** At most `times` in a minute, or in these seconds. */
interface Limit {
  readonly times: number;
  readonly seconds?: number;
}

/** Buckets of this process, by caller: requests that count, and when that was so. */
export type Buckets = Map<string, { readonly used: number; readonly at: number }>;

type Limited = Pick<Store, 'database' | 'now'> & { readonly buckets: Buckets };

/** Callers remembered at once; the one that asked least recently is forgotten. */
const MAX_CALLERS = 20_000;

/** Counts in this process. */
export function countHere({ buckets, now }: Limited, key: string, limit: Limit): Count {
  const { times, seconds = 60 } = limit;
  const at = now().getTime();
  const known = buckets.get(key) ?? { used: 0, at };
  const used = Math.max(0, known.used - ((at - known.at) / 1000 / seconds) * times);
  const isRefused = used + 1 > times;
  buckets.delete(key);
  buckets.set(key, { used: isRefused ? used : used + 1, at });
  if (buckets.size > MAX_CALLERS) buckets.delete(buckets.keys().next().value!);
  return countOf(limit, { used: isRefused ? used : used + 1, isRefused });
}

/** Counts in all processes together, if the database has more than one. */
export async function countTogether(registry: Limited, key: string, limit: Limit): Promise<Count> {
  const { database, now } = registry;
  if (database.kind === 'embedded') return countHere(registry, key, limit);
  const { times, seconds = 60 } = limit;
  const used = `greatest(0, c.count - greatest(0, extract(epoch from ($2::timestamptz - c.started_at))) * $3::float8 / $4::float8)`;
  const [row] = await database.query<{ used: number; isRefused: boolean }>(
    `insert into request_counts as c (key, started_at, count, is_refused) values ($1, $2, 1, $3 < 1)
     on conflict (key) do update set started_at = $2, is_refused = ${used} + 1 > $3,
       count = ${used} + case when ${used} + 1 > $3 then 0 else 1 end
     returning count as used, is_refused as "isRefused"`,
    [key, now(), times, seconds],
  );
  return countOf(limit, row!);
}

/** Takes a request back that turned out not to count. */
export function uncountHere({ buckets }: Limited, key: string): void {
  const known = buckets.get(key);
  if (known !== undefined) buckets.set(key, { ...known, used: Math.max(0, known.used - 1) });
}

/** Takes back a request that all processes counted. */
export async function uncountTogether(registry: Limited, key: string): Promise<void> {
  if (registry.database.kind === 'embedded') uncountHere(registry, key);
  else
    await registry.database.query('update request_counts set count = greatest(0, count - 1) where key = $1', [
      key,
    ]);
}

function countOf(
  { times, seconds = 60 }: Limit,
  { used, isRefused }: { readonly used: number; readonly isRefused: boolean },
): Count {
  const perRequest = seconds / times;
  return isRefused
    ? { remaining: -1, reset: Math.max(1, Math.ceil((used + 1 - times) * perRequest)) }
    : { remaining: Math.floor(times - used), reset: Math.ceil(used * perRequest) };
}

/** Fails when the caller has read or searched too often. For messages of which one request has many. */
export function demandRate(
  registry: Limited & Pick<Store, 'settings'>,
  {
    caller,
    address,
    kind,
  }: { readonly caller: Caller; readonly address: string; readonly kind: 'read' | 'search' },
): void {
  const { readLimit, searchLimit } = registry.settings;
  const times = kind === 'search' ? searchLimit : readLimit;
  if (times === 0) return;
  const count = countHere(registry, `${kind} ${caller.account?.id ?? address}`, { times });
  if (count.remaining < 0) throw tooMany(count);
}

/** The answer to a caller who has to wait. */
export function tooMany({ reset }: Count, headers: Readonly<Record<string, string>> = {}): Failure {
  return new Failure('rate_limited', `too many requests; try again in ${reset} seconds`, {
    headers: { ...headers, 'retry-after': String(reset) },
  });
}
