// Finds the caller of a request: the Authorization header decides; cookies count only without one.

import type { Context } from 'hono';
import { anonymous, unauthorised } from '../access/index.ts';
import { findSessionCaller, findTokenCaller } from '../accounts/index.ts';
import { readCookie } from './cookies.ts';
import type { Environment } from './environment.ts';
import { csrfTokenOf, demandOwnRequest } from './own-request.ts';

/** Sets `caller` and `csrf`; refuses changing requests of a session that other sites may have sent. */
export async function identifyCaller(context: Context<Environment>): Promise<void> {
  const registry = context.get('registry');
  context.set('csrf', undefined);
  const authorization = context.req.header('authorization');
  if (authorization !== undefined) {
    const token = /^Bearer ([\x21-\x7e]{1,500})$/i.exec(authorization)?.[1];
    if (token === undefined) throw unauthorised();
    context.set('caller', await findTokenCaller(registry, token));
    return;
  }
  const secret = readCookie(context, 'session');
  const caller = secret === undefined ? undefined : await findSessionCaller(registry, secret);
  context.set('caller', caller ?? anonymous);
  if (secret === undefined || caller === undefined) return;
  context.set('csrf', csrfTokenOf(secret));
  await demandOwnRequest(context, csrfTokenOf(secret));
}
