// The caller of a request: the Authorization header decides; cookies count only without one. Requests that other sites make a
// browser send are refused.

import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { anonymous, unauthorised } from '../access/index.ts';
import { findSessionCaller, findTokenCaller } from '../accounts/index.ts';
import { Failure, isSameSecret } from '../base/index.ts';
import { readCookie } from './cookies.ts';
import type { Environment } from './environment.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const MAX_FORM = 1024 * 1024;

/** The token that forms of this session carry. It tells nothing about the session's secret. */
function csrfTokenOf(sessionSecret: string): string {
  return createHash('sha256').update(`csrf\n${sessionSecret}`).digest('base64url');
}

/** Fails when a changing request of a session comes from elsewhere, or without the session's token. */
async function demandOwnRequest(context: Context<Environment>, token: string): Promise<void> {
  if (SAFE_METHODS.has(context.req.method)) return;
  demandSameOrigin(context);
  const given = context.req.header('x-csrf-token') ?? (await formToken(context));
  if (given === undefined || !isSameSecret(given, token))
    throw new Failure('forbidden', 'the form is too old: open the page again');
}

/** Fails when the browser says that another site sent the request. */
export function demandSameOrigin(context: Context<Environment>): void {
  const site = context.req.header('sec-fetch-site');
  if (site === 'same-origin') return;
  const { publicUrl } = context.get('registry');
  const origin = context.req.header('origin');
  const isForeign = site !== undefined ? site !== 'none' : origin !== undefined;
  if (!isForeign || (site === undefined && origin === new URL(publicUrl).origin)) return;
  throw new Failure('forbidden', `the request came from another site: open ${publicUrl}`);
}

async function formToken(context: Context<Environment>): Promise<string | undefined> {
  const type = context.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return undefined;
  if (Number(context.req.header('content-length') ?? 0) > MAX_FORM) return undefined;
  const { csrf } = await context.req.parseBody();
  return typeof csrf === 'string' ? csrf : undefined;
}

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
  const csrf = csrfTokenOf(secret);
  context.set('csrf', csrf);
  await demandOwnRequest(context, csrf);
}
