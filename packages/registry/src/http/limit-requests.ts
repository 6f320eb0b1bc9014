// Bounds on requests: how often a caller may ask, how many are handled at once, size and time of each.

import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { countHere, countTogether, tooMany } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import type { Settings } from '../settings/index.ts';
import type { Environment } from './environment.ts';
import type { Metrics } from './metrics.ts';

const SOON = { headers: { 'retry-after': '1' } };

/** Refuses requests beyond the number handled at once, and gives up on those that take too long. */
export function limitRequests(
  { maxRequests, requestSeconds }: Settings,
  metrics: Metrics,
): MiddlewareHandler<Environment> {
  let open = 0;
  return async (context, next) => {
    const { method, path } = context.req;
    // Uploads have places and limits of their own.
    if (isProbe(path) || isUpload(method, path)) return next();
    if (open >= maxRequests) {
      metrics.limited('requests');
      throw new Failure('unavailable', 'the server is busy; try again soon', SOON);
    }
    open++;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Failure('unavailable', 'this took too long; try again later', SOON)),
        requestSeconds * 1000,
      );
    });
    const work = next().finally(() => {
      open--;
    });
    work.catch(() => {});
    try {
      await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

const refuseBody = () => {
  throw new Failure('too_large', 'the request is too large');
};

/** Limits all bodies but archives. Comes before anything that reads a form. */
export function limitBodies({ maxRequestBytes }: Settings): MiddlewareHandler<Environment> {
  const limit = bodyLimit({ maxSize: maxRequestBytes, onError: refuseBody });
  return (context, next) => {
    const { method, path } = context.req;
    // These have no body, and asking for one makes a whole request object.
    const isBare = method === 'GET' || method === 'HEAD';
    return isBare || isUpload(method, path) ? next() : (limit(context, next) as Promise<void>);
  };
}

/** Archives that one account may send at the same time. */
const UPLOADS_PER_ACCOUNT = 2;
/** Uploads that may wait for a place, times the number of places. */
const LINE = 2;

/**
 * Limits how many archives are taken at once, by everybody and by one account. A few wait in line for a place, for as long as an
 * upload may take; the others are told at once to come again. The operation that reads one bounds its size and time.
 */
export function limitUploads(
  { maxUploads, uploadSeconds }: Settings,
  metrics: Metrics,
): MiddlewareHandler<Environment> {
  const waiting: { readonly take: () => void }[] = [];
  const open = new Map<number, number>();
  let uploads = 0;
  const refuse = (code: 'rate_limited' | 'unavailable', message: string): Failure => {
    metrics.limited('uploads');
    return new Failure(code, message, SOON);
  };
  const wait = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(place), 1);
        reject(refuse('unavailable', 'too many publications at once; try again soon'));
      }, uploadSeconds * 1000);
      const place = {
        take: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      waiting.push(place);
    });
  return async (context, next) => {
    if (!isUpload(context.req.method, context.req.path)) return next();
    const account = context.get('caller').account?.id;
    const own = account === undefined ? 0 : (open.get(account) ?? 0);
    if (own >= UPLOADS_PER_ACCOUNT)
      throw refuse(
        'rate_limited',
        `you publish ${own} versions already; send the next when one of them is done`,
      );
    if (uploads >= maxUploads && waiting.length >= LINE * maxUploads)
      throw refuse('unavailable', 'too many publications at once; try again soon');
    if (account !== undefined) open.set(account, own + 1);
    try {
      if (uploads >= maxUploads) await wait();
      else uploads++;
      try {
        await next();
      } finally {
        // The place goes to the next in line.
        const first = waiting.shift();
        if (first === undefined) uploads--;
        else first.take();
      }
    } finally {
      const left = account === undefined ? 0 : (open.get(account) ?? 1) - 1;
      if (account !== undefined && left === 0) open.delete(account);
      else if (account !== undefined) open.set(account, left);
    }
  };
}

/** Probes and numbers are answered however busy the process is. */
function isProbe(path: string): boolean {
  return path === '/healthz' || path === '/readyz' || path === '/metrics';
}

function isUpload(method: string, path: string): boolean {
  return method === 'PUT' && /^\/api\/v1\/skills\/[^/]+\/[^/]+\/(?!rating$|level$)[^/]+$/.test(path);
}

/** Cost of a request. */
type RateClass = 'read' | 'search' | 'write' | 'login';

/**
 * Counts requests by account, or by address without one; sign-in always by address. Changes and sign-ins on PostgreSQL are
 * counted in the database, so that all processes count together.
 */
export function limitRate(registry: Registry, metrics: Metrics): MiddlewareHandler<Environment> {
  const { readLimit, searchLimit, writeLimit, loginLimit } = registry.settings;
  const limits = { read: readLimit, search: searchLimit, write: writeLimit, login: loginLimit };
  return async (context, next) => {
    const { method, path } = context.req;
    const kind = classOf(method, path);
    const times = limits[kind];
    if (times === 0 || isProbe(path)) return next();
    const account = kind === 'login' ? undefined : context.get('caller').account?.id;
    const key = `${kind} ${account ?? context.get('address')}`;
    const isShared = kind === 'write' || kind === 'login';
    const count = isShared
      ? await countTogether(registry, key, { times })
      : countHere(registry, key, { times });
    const headers = {
      'ratelimit-limit': String(times),
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

/** The class of a request. */
export function classOf(method: string, path: string): RateClass {
  const own = path.replace(/^\/api\/v1(?=\/)/, '');
  if (/^\/(?:oauth|signin|invite|device)(?:\/|$)|^\/invitations\/accept$/.test(own)) return 'login';
  if (/^\/(?:search|find)$/.test(own) || /^\/read\/.*\/search$/.test(own)) return 'search';
  if (['GET', 'HEAD', 'OPTIONS'].includes(method) || /^\/(?:states|mcp)$/.test(own)) return 'read';
  return 'write';
}
