// One client over standard input and output.

import type { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ServerStreams } from '../streams/index.ts';
import { type ConnectionServer, createServer, type Serving } from './create-server.ts';
import { directoryOfRoot } from './directory-of-root.ts';
import { listenedUris } from './listened-uris.ts';

/** Clients answer at once or not at all; calls wait no longer than this for the roots. */
const ROOTS_TIMEOUT_MS = 1000;

/** Where the client is, and until when it is served. */
export interface StdioOptions extends ServerStreams {
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Serves until the client goes or the signal comes. */
export async function serveOverStdio(
  serving: Serving,
  { input, output, cwd: here, signal }: StdioOptions,
): Promise<void> {
  let cwd = Promise.resolve(here);
  let current: ConnectionServer | undefined;
  const onError = (error: Error) => serving.note(`mcp: ${error.message}`);

  const watched = serving.backend.watch(here, (event) => {
    if (event === 'changed') current?.tellChanges();
    else current?.tellUpdates();
  });
  const askRoots = (mcp: McpServer): void => {
    if (mcp.server.getClientCapabilities()?.roots === undefined) return;
    cwd = firstRoot(mcp).then((root) => {
      const place = root ?? here;
      watched.follow(place);
      return place;
    });
  };

  const make = () => createServer(serving, { cwd: () => cwd, tellsChanges: true });
  /** Made before the library asked for it. */
  let early: ConnectionServer | undefined;

  // A client that has been told the lists hears of every change to them.
  await watched.ready;
  const transport = new StdioServerTransport(input, output);
  const handle = serveStdio(
    ({ era }) => {
      current = early ?? make();
      early = undefined;
      const { mcp } = current;
      if (era === 'legacy') {
        mcp.server.oninitialized = () => askRoots(mcp);
        mcp.server.setNotificationHandler('notifications/roots/list_changed', () => askRoots(mcp));
      }
      return mcp;
    },
    { transport, onerror: onError },
  );
  // The library answers the requests by which clients of the newer revision subscribe.
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    const uris = listenedUris(message);
    if (uris.length === 0) {
      onmessage?.(message);
      return;
    }
    // It may be the first that a client says.
    current ??= early = make();
    void current.follow(uris).finally(() => onmessage?.(message));
  };
  try {
    await new Promise<void>((resolve) => {
      const { onclose } = transport;
      transport.onclose = () => {
        onclose?.();
        resolve();
      };
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
  } finally {
    watched.close();
    // Whatever is being worked on is given up, so that closing waits for nobody.
    await serving.backend.close();
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
