// How long the requests to a server may take.

import type { Workspace } from '../../skill/workspace/index.ts';

/** Long work gets this many times the limit of a request. */
const LONG = 10;

/** What a script may take besides its own limit. */
const MARGIN_SECONDS = 30;

/** What a request may take, and what long work may take. A configuration that cannot be read is told by the calls that need it. */
export async function requestLimits(
  workspace: Pick<Workspace, 'config'>,
): Promise<{ readonly shortMs: number; readonly longMs: number }> {
  const { defaultConfig } = await import('../../skill/config/default-config.ts');
  const { server, scripts } = await workspace.config().catch(() => defaultConfig);
  const long = Math.max(server.timeout * LONG, scripts.timeout + MARGIN_SECONDS);
  return { shortMs: server.timeout * 1000, longMs: long * 1000 };
}
