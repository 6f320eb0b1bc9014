// The HTTP server's application: limits, caller, errors, routes.

import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Caller } from '../access/caller.ts';
import { anonymous } from '../access/caller.ts';
import { challengeOf } from '../mcp/challenge.ts';
import type { Registry } from '../registry.ts';
import { routes } from '../routes/index.ts';
import { isMetricsReader } from '../routes/metrics.ts';
import { limitGuesses } from '../running/limit-guesses.ts';
import { limitBodies, limitRequests, limitUploads } from '../running/limit-requests.ts';
import type { Log } from '../running/log.ts';
import { createMetrics, type Metrics } from '../running/metrics.ts';
import { observe } from '../running/observe.ts';
import { limitRate } from '../running/rate-limit.ts';
import { identifyCaller } from '../signin/identify-caller.ts';
import { failurePage, wantsPage } from '../web/frame-of.ts';
import { Failure } from './failure.ts';
import { failureOf } from './failure-of.ts';

/** Values every handler finds in its context. */
export interface Environment {
  Variables: {
    registry: Registry;
    caller: Caller;
    /** Goes into every form of a person who is signed in, as the field `csrf`. */
    csrf: string | undefined;
    /** Address of the client, also behind a trusted proxy. */
    address: string;
    metrics: Metrics;
    isMetricsReader: boolean;
    requestId: string;
  };
}

/** The application type of all routes. */
export type App = Hono<Environment>;

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
    return context.json(new Failure('internal', 'the server made a mistake').toJSON(), 500);
  });
  app.notFound((context) => {
    const failure = new Failure('not_found', 'no such address');
    return wantsPage(context) ? failurePage(context, failure) : context.json(failure.toJSON(), 404);
  });
  app.use(observe({ log, metrics, trustedProxies: settings.trustedProxies }));
  app.use(limitRequests(settings, metrics));
  app.use(limitBodies(settings));
  app.use(async (context, next) => {
    context.set('registry', registry);
    context.set('metrics', metrics);
    const isReader = isMetricsReader(settings.metricsToken, context.req.header('authorization'));
    context.set('isMetricsReader', isReader);
    if (isReader) context.set('caller', anonymous);
    else await guard(context, () => identifyCaller(context));
    await next();
  });
  app.use(limitRate(registry, metrics));
  app.use(limitUploads(settings));
  for (const mount of routes) mount(app);
  return app;
}
