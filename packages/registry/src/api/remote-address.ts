// The network address behind a request.

import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Environment } from '../app/create-app.ts';

/** The address of the peer; empty in tests without a server. */
export function addressOf(context: Context<Environment>): string {
  return (context.env as Partial<HttpBindings> | undefined)?.incoming?.socket?.remoteAddress ?? '';
}
