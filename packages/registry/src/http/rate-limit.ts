// Limits on how often a caller may ask.

import type { MiddlewareHandler } from 'hono';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { type Count, createBuckets } from './buckets.ts';
import type { Environment } from './environment.ts';
import { isProbe } from './limit-requests.ts';
import type { Metrics } from './metrics.ts';

/** Cost of a request. */
export type RateClass = 'read' | 'search' | 'write' | 'login';

/**
 * Counts requests by account, or by address for strangers; sign-in always by address. Changes and sign-ins on PostgreSQL are
 * counted in the database, so that all processes count together.
 */
export function limitRate(registry: Registry, metrics: Metrics): MiddlewareHandler<Environment> {
  const { readLimit, searchLimit, writeLimit, loginLimit } = registry.settings;
  const limits = { read: readLimit, search: searchLimit, write: writeLimit, login: loginLimit };
  const buckets = createBuckets(() => registry.now().getTime());
  return async (context, next) => {
    const { method, path } = context.req;
    const kind = classOf(method, path);
    const limit = limits[kind];
    if (limit === 0 || isProbe(path)) return next();
    const account = kind === 'login' ? undefined : context.get('caller').account?.id;
    const key = `${kind} ${account ?? context.get('address')}`;
    const isShared = registry.database.kind === 'postgres' && (kind === 'write' || kind === 'login');
    const count = isShared ? await countTogether(registry, { key, limit }) : buckets.take(key, limit);
    const headers = {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(Math.max(0, count.remaining)),
      'ratelimit-reset': String(count.reset),
    };
    if (count.remaining < 0) {
      metrics.limited(kind);
      throw tooMany(count, headers);
    }
    await next();
    // `context.header` would turn a finished response into a stream.
    for (const [name, value] of Object.entries(headers)) context.res.headers.set(name, value);
  };
}

/** The answer to a caller who has to wait. */
export function tooMany({ reset }: Count, headers: Readonly<Record<string, string>> = {}): Failure {
  return new Failure('rate_limited', `too many requests; try again in ${reset} seconds`, {
    headers: { ...headers, 'retry-after': String(reset) },
  });
}

/** The class of a request. */
export function classOf(method: string, path: string): RateClass {
  const own = path.replace(/^\/api\/v1(?=\/)/, '');
  if (/^\/(?:oauth|signin|invite|device)(?:\/|$)/.test(own)) return 'login';
  if (/^\/(?:search|find)$/.test(own) || /^\/read\/.*\/search$/.test(own)) return 'search';
  if (['GET', 'HEAD', 'OPTIONS'].includes(method) || /^\/(?:states|mcp)$/.test(own)) return 'read';
  return 'write';
}

const WINDOW = 60_000;

async function countTogether(
  { database, now }: Registry,
  { key, limit }: { readonly key: string; readonly limit: number },
): Promise<Count> {
  const time = now().getTime();
  const start = Math.floor(time / WINDOW) * WINDOW;
  const [row] = await database.query<{ count: number }>(
    `insert into request_counts (key, started_at, count) values ($1, $2, 1)
     on conflict (key) do update set started_at = excluded.started_at,
       count = case when request_counts.started_at = excluded.started_at then request_counts.count + 1 else 1 end
     returning count`,
    [key, new Date(start)],
  );
  return { remaining: limit - row!.count, reset: Math.ceil((start + WINDOW - time) / 1000) };
}
