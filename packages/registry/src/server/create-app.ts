// The HTTP server's application: limits, caller, errors, routes.

import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { anonymous } from '../access/index.ts';
import { Failure, type Log } from '../base/index.ts';
import {
  type App,
  createMetrics,
  type Environment,
  failureOf,
  identifyCaller,
  limitBodies,
  limitGuesses,
  limitRate,
  limitRequests,
  limitUploads,
  observe,
  readFromReplica,
} from '../http/index.ts';
import { challengeOf } from '../mcp/index.ts';
import type { Registry } from '../registry.ts';
import { failurePage, wantsPage } from '../web/index.ts';
import { isMetricsReader, routes } from './routes.ts';

/** The application. Tests call `app.request()`; no port is needed. Without a log nothing is written. */
export function createApp(registry: Registry, { log }: { readonly log?: Log } = {}): App {
  const { settings } = registry;
  const metrics = createMetrics();
  const guard = limitGuesses(registry, metrics);
  const app: App = new Hono<Environment>({ strict: false });
  app.onError((error, context) => {
    const failure = failureOf(error);
    if (failure !== undefined && wantsPage(context)) return failurePage(context, failure);
    if (failure !== undefined)
      return context.json(failure.toJSON(), failure.status as 400, {
        ...failure.headers,
        // Clients of the Model Context Protocol look here for the way to sign in.
        ...(failure.status === 401 ? { 'www-authenticate': challengeOf(registry.publicUrl) } : {}),
      });
    if (error instanceof HTTPException) return error.getResponse();
    return context.json(new Failure('internal', 'the server failed').toJSON(), 500);
  });
  app.notFound((context) => {
    const failure = new Failure('not_found', 'no such address');
    return wantsPage(context) ? failurePage(context, failure) : context.json(failure.toJSON(), 404);
  });
  app.use(observe({ log, metrics, trustedProxies: settings.trustedProxies }));
  app.use(async (context, next) => {
    context.set('registry', registry);
    context.set('metrics', metrics);
    await next();
    // The handler of a response decides who may keep it; otherwise it is for the caller alone.
    const { headers } = context.res;
    if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-cache');
    if (!headers.has('vary') && !/\bpublic\b/.test(headers.get('cache-control')!))
      headers.set('vary', 'authorization, cookie');
  });
  app.use(limitRequests(settings, metrics));
  app.use(limitBodies(settings));
  app.use(async (context, next) => {
    const isReader = isMetricsReader(settings.metricsToken, context.req.header('authorization'));
    context.set('isMetricsReader', isReader);
    if (isReader) context.set('caller', anonymous);
    else await guard(context, () => identifyCaller(context));
    await next();
  });
  app.use(limitRate(registry, metrics));
  app.use(limitUploads(settings, metrics));
  app.use(readFromReplica(registry));
  for (const mount of routes) mount(app, registry);
  return app;
}
