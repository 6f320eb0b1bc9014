// Serves one client over standard input and output.

import { fileURLToPath } from 'node:url';
import type { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { isDirectory } from '../../base/files/index.ts';
import type { ServerStreams } from '../streams/index.ts';
import { type ConnectionServer, createServer, type Serving } from './create-server.ts';
import { listenedUris } from './subscriptions.ts';

/** Longest wait for the client's roots: clients answer at once or never. */
const ROOTS_TIMEOUT_MS = 1000;

/** Where the client is, and until when to serve it. */
interface StdioOptions extends ServerStreams {
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Serves until the client disconnects or the signal. */
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
  /** Created before the library asked for it. */
  let early: ConnectionServer | undefined;

  // A client that received the lists is notified of every change.
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
  // The library answers the subscription requests of clients of the newer revision.
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    const uris = listenedUris(message);
    if (uris.length === 0) {
      onmessage?.(message);
      return;
    }
    // It may be the client's first message.
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
    // Abort work in progress, so that closing does not wait.
    await serving.backend.close();
    await handle.close();
  }
}

async function firstRoot(mcp: McpServer): Promise<string | undefined> {
  try {
    const { roots } = await mcp.server.listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS });
    return directoryOfRoot(roots[0]?.uri);
  } catch {
    // The client announced roots but does not send them: use the server's own directory.
    return undefined;
  }
}

// Converts a client's root into a working directory.

/** The directory of a client's first root; undefined when it is not on this machine. */
function directoryOfRoot(uri: string | undefined): string | undefined {
  if (uri === undefined) return undefined;
  try {
    const path = fileURLToPath(uri);
    return isDirectory(path) ? path : undefined;
  } catch {
    // A different scheme, or a path of another system.
    return undefined;
  }
}
