// Whether the process runs, and whether it can serve.

import type { App } from '../http/index.ts';

/** `/healthz` and `/readyz`. */
export function health(app: App): void {
  app.get('/healthz', (context) => context.json({ ok: true }));
  app.get('/readyz', async (context) => {
    const { database, isStopping } = context.get('registry');
    if (isStopping) return context.json({ ok: false, reason: 'stopping' }, 503);
    try {
      await database.query('select 1');
      return context.json({ ok: true });
    } catch {
      return context.json({ ok: false, reason: 'database' }, 503);
    }
  });
}
