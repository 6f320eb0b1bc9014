// Keeps requests with made-up tokens and cookies away from the database.

import type { Context } from 'hono';
import { anonymous, countHere, tooMany, unauthorised, uncountHere } from '../access/index.ts';
import { NO_TOKEN } from '../accounts/index.ts';
import { Failure, hashSecret, isTokenShaped } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { readCookie } from './cookies.ts';
import type { Environment } from './environment.ts';
import type { Metrics } from './metrics.ts';

/** Milliseconds for which a secret that nobody has is refused without a question. */
const REFUSED_MS = 10_000;
/** Secrets remembered of each kind. */
const MAX_SECRETS = 10_000;

/**
 * Counts unknown secrets by address, as attempts to sign in. An address with too many is refused before anything is
 * looked up; secrets that worked before go on working from there.
 */
export function limitGuesses(
  registry: Registry,
  metrics: Metrics,
): (context: Context<Environment>, identify: () => Promise<void>) => Promise<void> {
  const { loginLimit } = registry.settings;
  const good = new Map<string, number>();
  const bad = new Map<string, number>();
  /** Look-ups under way. Requests with the same secret wait for the first one, so that they count once. */
  const underWay = new Map<string, Promise<void>>();
  return async (context, identify) => {
    const secret = readSecret(context);
    if (secret === undefined || loginLimit === 0) return identify();
    const key = Buffer.from(hashSecret(secret)).toString('base64');
    const now = registry.now().getTime();
    const first = underWay.get(key);
    if (first !== undefined) await first;
    if (now - (bad.get(key) ?? -Infinity) < REFUSED_MS) return refuseSecret(context);
    if (good.has(key) || first !== undefined) return identify();
    const counted = `guess ${context.get('address')}`;
    const count = countHere(registry, counted, { times: loginLimit });
    if (count.remaining < 0) {
      metrics.limited('login');
      throw tooMany(count);
    }
    const looking = identify();
    underWay.set(
      key,
      looking.catch(() => {}),
    );
    try {
      await looking;
    } catch (error) {
      if (error instanceof Failure && error.code === 'unauthorised') remember(bad, key, now);
      else uncountHere(registry, counted);
      throw error;
    } finally {
      underWay.delete(key);
    }
    if (context.get('caller').account === undefined) return remember(bad, key, now);
    remember(good, key, now);
    uncountHere(registry, counted);
  };
}

/** A token or the secret of a session; undefined when there is none to look up. */
function readSecret(context: Context<Environment>): string | undefined {
  const authorization = context.req.header('authorization');
  if (authorization === undefined) return readCookie(context, 'session');
  const token = authorization.replace(/^Bearer /i, '');
  return isTokenShaped(token) ? token : undefined;
}

/** Answers as if the secret had been looked up again. */
function refuseSecret(context: Context<Environment>): void {
  if (context.req.header('authorization') !== undefined) throw unauthorised(NO_TOKEN);
  context.set('csrf', undefined);
  context.set('caller', anonymous);
}

/** The oldest are forgotten. */
function remember(times: Map<string, number>, key: string, now: number): void {
  times.delete(key);
  times.set(key, now);
  if (times.size > MAX_SECRETS) times.delete(times.keys().next().value as string);
}
