// Reads that may be a second old go to the replica, if the registry has one.

import type { MiddlewareHandler } from 'hono';
import type { Registry } from '../registry.ts';
import type { Environment } from './environment.ts';

/** Searches, pages and skills; everything about accounts, rights and the log is read where it is written. */
const MAY_LAG = /^\/(?:$|search$|@|feed|sitemap|api\/v1\/(?:search|skills|read)(?:\/|$))/;
const MAY_NOT = /\/(?:proof|log)$/;
/** Seconds for which the author of a change reads where it was written; a replica that is used is never that far behind. */
const PIN_SECONDS = 10;

/** Hands the registry for such reads to the handlers. Somebody who has just changed something gets the other one. */
export function readFromReplica(registry: Registry): MiddlewareHandler<Environment> {
  return async (context, next) => {
    const { method, path } = context.req;
    if (
      registry.replica !== undefined &&
      registry.replica.whyNot() === undefined &&
      (method === 'GET' || method === 'HEAD') &&
      MAY_LAG.test(path) &&
      !MAY_NOT.test(path) &&
      !(await hasJustChanged(registry, context.get('caller').account?.id))
    )
      context.set('registry', registry.lagging);
    await next();
  };
}

/** Every change has a row of the audit log. */
async function hasJustChanged({ database }: Registry, account: number | undefined): Promise<boolean> {
  if (account === undefined) return false;
  const [last] = await database.query<{ isRecent: boolean }>(
    `select at > now() - interval '${PIN_SECONDS} seconds' as "isRecent" from audit
     where account_id = $1 order by id desc limit 1`,
    [account],
  );
  return last?.isRecent === true;
}
