// One client over standard input and output.

import type { Readable, Writable } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from './create-server.ts';
import { directoryOfRoot, type ServerState } from './server-state.ts';
import { watchServed } from './watch-served.ts';

/** Clients answer at once or not at all; calls wait no longer than this for the roots. */
const ROOTS_TIMEOUT_MS = 1000;

/** Serves until the client goes or the signal comes. */
export async function serveOverStdio(
  state: ServerState,
  streams: { input: Readable; output: Writable },
): Promise<void> {
  const { context } = state;
  let cwd = Promise.resolve(context.cwd);
  let current: McpServer | undefined;

  const watched = watchServed(state, context.cwd, () => {
    current?.sendResourceListChanged();
    current?.sendPromptListChanged();
  });
  const askRoots = (mcp: McpServer): void => {
    if (mcp.server.getClientCapabilities()?.roots === undefined) return;
    cwd = firstRoot(mcp).then((root) => {
      const here = root ?? context.cwd;
      watched.follow(here);
      return here;
    });
  };

  await watched.ready;
  const transport = new StdioServerTransport(streams.input, streams.output);
  const handle = serveStdio(
    ({ era }) => {
      const mcp = createServer(state, { cwd: () => cwd, tellsChanges: true });
      if (era === 'legacy') {
        mcp.server.oninitialized = () => askRoots(mcp);
        mcp.server.setNotificationHandler('notifications/roots/list_changed', () => askRoots(mcp));
      }
      current = mcp;
      return mcp;
    },
    { transport, onerror: (error) => context.note(`mcp: ${error.message}`) },
  );
  try {
    await new Promise<void>((resolve) => {
      const { onclose } = transport;
      transport.onclose = () => {
        onclose?.();
        resolve();
      };
      context.signal.addEventListener('abort', () => resolve(), { once: true });
      if (context.signal.aborted) resolve();
    });
  } finally {
    watched.close();
    await handle.close();
  }
}

async function firstRoot(mcp: McpServer): Promise<string | undefined> {
  try {
    const { roots } = await mcp.server.listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS });
    return directoryOfRoot(roots[0]?.uri);
  } catch {
    // It said it had roots and does not tell them: then the server's own directory is as good as any.
    return undefined;
  }
}
