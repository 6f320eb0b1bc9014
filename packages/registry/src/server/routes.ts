// Every group of routes. Each is a function that adds its routes to the application.

import { mountOperations, openApiDocument } from '../api/index.ts';
import type { App } from '../http/index.ts';
import type { Registry } from '../registry.ts';
import { sitePages, skillRoutes } from '../web/index.ts';
import { log } from './log.ts';
import { mcp } from './mcp.ts';
import { metrics } from './metrics.ts';
import { oauth } from './oauth.ts';
import { wellKnown } from './well-known.ts';

export const routes: readonly ((app: App, registry: Registry) => void)[] = [
  api,
  health,
  log,
  mcp,
  metrics,
  oauth,
  sitePages,
  wellKnown,
  // Last: `/@owner/name` would take addresses of the groups before it.
  skillRoutes,
];

/** Everything in the table of operations, and `/openapi.json`. */
function api(app: App): void {
  mountOperations(app);
  app.get('/openapi.json', async (context) => {
    context.header('cache-control', 'public, max-age=300');
    return context.json(await openApiDocument(context.get('registry').publicUrl));
  });
}

/** `/healthz` and `/readyz`. */
function health(app: App): void {
  app.get('/healthz', (context) => context.json({ ok: true }));
  app.get('/readyz', async (context) => {
    const { database, isStopping, replica } = context.get('registry');
    if (isStopping) return context.json({ ok: false, reason: 'stopping' }, 503);
    try {
      await database.query('select 1');
      if (replica === undefined) return context.json({ ok: true });
      // Without its replica the registry answers from the primary, which is slower and not broken.
      return context.json({ ok: true, replica: replica.whyNot() === undefined ? 'used' : 'not used' });
    } catch {
      return context.json({ ok: false, reason: 'database' }, 503);
    }
  });
}
