// Serves many clients over Streamable HTTP, on this machine only.

import { createServer as createHttpServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpHttpHandler,
  originValidationResponse,
  readRequestBody,
} from '@modelcontextprotocol/server';
import { describeSystemError } from '../../base/files/index.ts';
import { limitConnections, listenLocally } from '../streams/index.ts';
import { createServer, type Serving } from './create-server.ts';
import { createHttpSessions, type HttpSessions, SESSION_HEADER } from './http-sessions.ts';
import {
  createSubscriptions,
  LISTEN_METHOD,
  listenedUris,
  type SubscriptionOptions,
} from './subscriptions.ts';

const PATH = '/mcp';
const MAX_SUBSCRIPTIONS = 64;

/** Where to serve, and until when. */
interface HttpOptions {
  readonly port: number;
  readonly cwd: string;
  readonly signal: AbortSignal;
  now(): Date;
}

/** Serves until the signal. E100 when the port is not available. */
export async function serveOverHttp(serving: Serving, options: HttpOptions): Promise<void> {
  const { port, signal } = options;
  const cwd = async () => options.cwd;
  const onerror = (error: Error) => serving.note(`mcp: ${error.message}`);
  // Stateless requests: those of the newer revision, and those without a handshake. They have no session, so they use the
  // state of the command line.
  const handler = createMcpHandler(
    ({ era }) => createServer(serving, { cwd, tellsChanges: era === 'modern', standsAlone: true }).mcp,
    { maxSubscriptions: MAX_SUBSCRIPTIONS, onerror },
  );
  const sessions = createHttpSessions({
    createServer: () => createServer(serving, { cwd, tellsChanges: true }),
    now: () => options.now(),
    onError: onerror,
  });
  const listeners = createHttpListeners({
    backend: serving.backend,
    caller: async () => ({ connection: 'listeners', cwd: options.cwd, quizzes: undefined }),
    tell: (uri) => handler.notify.resourceUpdated(uri),
  });
  const watched = serving.backend.watch(options.cwd, (event) => {
    if (event === 'touched') {
      listeners.look().catch(onerror);
      sessions.tellUpdates();
      return;
    }
    handler.notify.toolsChanged();
    handler.notify.resourcesChanged();
    handler.notify.promptsChanged();
    sessions.tellChanges();
  });
  const serve = async (request: Request): Promise<Response> => {
    // Another site's page may reach this port under its own host name; reject both its name and its origin.
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (refused !== undefined) return refused;
    if (new URL(request.url).pathname !== PATH) return new Response(null, { status: 404 });
    const response = await route(request, { handler, sessions, listeners });
    // After an early answer, the connection can serve the next request only when this one is read to its end.
    void request.body?.pipeTo(new WritableStream()).catch(() => {});
    return response;
  };
  const listener = getRequestListener(serve, {
    overrideGlobalObjects: false,
    errorHandler(error) {
      serving.note(`mcp: ${describeSystemError(error)}`);
      return new Response(null, { status: 400 });
    },
  });
  const http = createHttpServer(listener);
  limitConnections(http);
  try {
    const address = await listenLocally(http, { port, option: '--http' });
    // A client that received the lists is notified of every change.
    await watched.ready;
    serving.note(`serving on ${address}${PATH}`);
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
  } finally {
    watched.close();
    // Abort work in progress, so that closing does not wait.
    await serving.backend.close();
    await sessions.close();
    await handler.close();
    http.close();
    http.closeAllConnections();
  }
}

/** Handlers for requests. */
interface Routes {
  readonly handler: McpHttpHandler;
  readonly sessions: HttpSessions;
  readonly listeners: HttpListeners;
}

/** Routes a request: within a session, starting a session, or stateless. */
async function route(request: Request, { handler, sessions, listeners }: Routes): Promise<Response> {
  // Classify before reading the body: the newer revision has no sessions.
  if (!(await isLegacyRequest(request))) {
    if (request.headers.get('mcp-method') === LISTEN_METHOD) await listeners.follow(request);
    return handler.fetch(request);
  }
  if (request.headers.has(SESSION_HEADER)) return sessions.serve(request);
  if (request.method !== 'POST') return handler.fetch(request);
  const body = await readRequestBody(request);
  if (body.tooLarge) return new Response(null, { status: 413 });
  const { url, method, headers, signal } = request;
  const same = new Request(url, { method, headers, signal, body: body.text });
  return (await sessions.start(same, parseMessage(body.text))) ?? handler.fetch(same);
}

// Tracks the files that clients of the newer revision listen to over HTTP. The library answers their requests.

/** Most files of all listeners together. */
const MAX_URIS = 1024;

/** All listeners of a server. */
interface HttpListeners {
  /** Records the files a request listens to, while it is open. */
  follow(request: Request): Promise<void>;
  /** Files changed on disk: notifies listeners about those that differ. */
  look(): Promise<void>;
}

/** The message; undefined when it is invalid, which is reported by the code that answers it. */
function parseMessage(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Creates an empty set of listeners. */
function createHttpListeners(options: SubscriptionOptions): HttpListeners {
  const subscriptions = createSubscriptions({ maxSubscriptions: MAX_URIS, ...options });
  const counts = new Map<string, number>();
  const leave = (uri: string): void => {
    const left = (counts.get(uri) ?? 1) - 1;
    if (left > 0) counts.set(uri, left);
    else {
      counts.delete(uri);
      subscriptions.remove(uri);
    }
  };
  return {
    look: () => subscriptions.look(),
    async follow(request) {
      const body = await readRequestBody(request.clone());
      for (const uri of new Set(body.tooLarge ? [] : listenedUris(parseMessage(body.text)))) {
        try {
          await subscriptions.add(uri);
        } catch {
          // Stay silent about files the client may not read.
          continue;
        }
        counts.set(uri, (counts.get(uri) ?? 0) + 1);
        if (request.signal.aborted) leave(uri);
        else request.signal.addEventListener('abort', () => leave(uri), { once: true });
      }
    },
  };
}
