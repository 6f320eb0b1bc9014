// State shared by all connections of a server: its tools and its backend.

import type { CommandContext } from '../commands/index.ts';
import { createAskedStates } from './ask-person.ts';
import type { Backend } from './backend.ts';
import type { Serving } from './create-server.ts';
import { loadTools } from './load-tools.ts';

/** Works in child processes if they can be started, otherwise in this process. */
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
  return createDeputyBackend(launch, workspace, tools);
}
