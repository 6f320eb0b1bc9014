// The HTTP server's application: caller, errors, routes.

import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Caller } from '../access/caller.ts';
import { anonymous } from '../access/caller.ts';
import { unauthorised } from '../access/may.ts';
import { findTokenCaller } from '../accounts/find-caller.ts';
import type { Registry } from '../registry.ts';
import { routes } from '../routes/index.ts';
import { Failure } from './failure.ts';

/** Values every handler finds in its context. */
export interface Environment {
  Variables: { registry: Registry; caller: Caller };
}

/** The application type of all routes. */
export type App = Hono<Environment>;

/** The application. Tests call `app.request()`; no port is needed. */
export function createApp(registry: Registry): App {
  const app: App = new Hono<Environment>({ strict: false });
  app.onError((error, context) => {
    if (error instanceof Failure)
      return context.json(error.toJSON(), error.status as 400, { ...error.headers });
    if (error instanceof HTTPException) return error.getResponse();
    return context.json(new Failure('internal', 'the server made a mistake').toJSON(), 500);
  });
  app.notFound((context) => context.json(new Failure('not_found', 'no such address').toJSON(), 404));
  app.use(async (context, next) => {
    context.set('registry', registry);
    context.set('caller', await findCaller(registry, context.req.header('authorization')));
    await next();
  });
  for (const mount of routes) mount(app);
  return app;
}

async function findCaller(registry: Registry, authorization: string | undefined): Promise<Caller> {
  if (authorization === undefined) return anonymous;
  const token = /^Bearer ([\x21-\x7e]{1,500})$/i.exec(authorization)?.[1];
  if (token === undefined) throw unauthorised();
  return findTokenCaller(registry, token);
}
