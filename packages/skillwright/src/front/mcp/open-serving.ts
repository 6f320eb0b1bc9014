// What all connections of a server share: its tools, and who does the work.

import type { CommandContext } from '../commands/index.ts';
import { createAskedStates } from './asked-states.ts';
import type { Backend } from './backend.ts';
import type { Serving } from './create-server.ts';
import { loadTools } from './load-tools.ts';

/** Long work gets this many times the limit of a request. */
const LONG = 10;

/** What a script may take besides its own limit. */
const MARGIN_SECONDS = 30;

/** Works in other processes where they can be started, else in this one. */
export async function openServing(context: CommandContext): Promise<Serving> {
  const tools = await loadTools();
  return {
    tools,
    backend: await openBackend(context, tools),
    states: createAskedStates(),
    note: (text) => context.note(text),
  };
}

async function openBackend(context: CommandContext, tools: Serving['tools']): Promise<Backend> {
  const { launch, workspace } = context;
  if (launch === undefined) {
    const [{ createLocalBackend }, { openServerState }] = await Promise.all([
      import('./local-backend.ts'),
      import('./server-state.ts'),
    ]);
    return createLocalBackend(await openServerState(context));
  }
  const { createDeputyBackend } = await import('./deputy-backend.ts');
  const { cwd, env } = workspace;
  return createDeputyBackend({ launch, cwd, env, tools, limits: await limitsOf(context) });
}

/** A configuration that cannot be read is told by the calls that need it. */
async function limitsOf({ workspace }: CommandContext): Promise<{ shortMs: number; longMs: number }> {
  const { defaultConfig } = await import('../../skill/config/default-config.ts');
  const { server, scripts } = await workspace.config().catch(() => defaultConfig);
  const long = Math.max(server.timeout * LONG, scripts.timeout + MARGIN_SECONDS);
  return { shortMs: server.timeout * 1000, longMs: long * 1000 };
}
