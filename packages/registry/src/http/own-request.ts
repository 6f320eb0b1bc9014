// Requests other sites make a browser send are refused.

import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { Failure, isSameSecret } from '../base/index.ts';
import type { Environment } from './environment.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const MAX_FORM = 1024 * 1024;

/** The token that forms of this session carry. It tells nothing about the session's secret. */
export function csrfTokenOf(sessionSecret: string): string {
  return createHash('sha256').update(`csrf\n${sessionSecret}`).digest('base64url');
}

/** Fails when a changing request of a session comes from elsewhere, or without the session's token. */
export async function demandOwnRequest(context: Context<Environment>, token: string): Promise<void> {
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
