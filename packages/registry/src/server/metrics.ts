// Numbers for Prometheus.

import { demandRegistryAdmin } from '../access/index.ts';
import { isSameSecret } from '../base/index.ts';
import type { App } from '../http/index.ts';

/**
 * `/metrics`, for administrators and for the token in the settings. The address of the caller does not matter: behind a
 * proxy on the same machine everyone would come from there.
 */
export function metrics(app: App): void {
  app.get('/metrics', async (context) => {
    if (!context.get('isMetricsReader')) demandRegistryAdmin(context.get('caller'));
    const numbers = context.get('metrics');
    return context.text(await numbers.text(), 200, { 'content-type': numbers.contentType });
  });
}

/** Whether a request carries the token for metrics. */
export function isMetricsReader(token: string | undefined, authorization: string | undefined): boolean {
  return token !== undefined && authorization !== undefined && isSameSecret(authorization, `Bearer ${token}`);
}
