// Time limits for requests to a server.

import type { Workspace } from '../../skill/workspace/index.ts';

/** Long work gets this many times the limit of a request. */
const LONG = 10;

/** Extra time on top of a script's own limit. */
const MARGIN_SECONDS = 30;

/** Time limits for a request and for long work. If the configuration cannot be read, the calls that need it report that. */
export async function requestLimits(
  workspace: Pick<Workspace, 'config'>,
): Promise<{ readonly shortMs: number; readonly longMs: number }> {
  const { defaultConfig } = await import('../../skill/config/default-config.ts');
  const { server, scripts } = await workspace.config().catch(() => defaultConfig);
  const long = Math.max(server.timeout * LONG, scripts.timeout + MARGIN_SECONDS);
  return { shortMs: server.timeout * 1000, longMs: long * 1000 };
}
