// Serves many clients over Streamable HTTP, on this machine only.

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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
import { LOCAL_HOST, limitConnections, listenLocally } from '../streams/index.ts';
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
  const serve = (request: Request) => route(request, { handler, sessions, listeners });
  const http = createHttpServer((incoming, outgoing) => {
    answer(serve, incoming, outgoing).catch((error: unknown) => {
      serving.note(`mcp: ${describeSystemError(error)}`);
      outgoing.destroy();
    });
  });
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

/** Handles one exchange: checks origin and path, then the protocol. */
async function answer(
  serve: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const body = bodyOf(incoming);
  const request = requestOf(incoming, body.stream, gone.signal);
  const response =
    request === undefined
      ? new Response(null, { status: 400 })
      : // Another site's page may reach this port under its own host name; reject both its name and its origin.
        (hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
        originValidationResponse(request, localhostAllowedOrigins()) ??
        (new URL(request.url).pathname === PATH
          ? await serve(request)
          : new Response(null, { status: 404 })));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  // Send headers at once: a client that waits for events must know that the stream is open.
  outgoing.flushHeaders();
  // The connection can serve the next request only after this one is read, even if the rest is discarded.
  body.discard();
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(ignoreDeparture);
}

function requestOf(
  incoming: IncomingMessage,
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Request | undefined {
  const { method = 'GET', headers, url = '/' } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  try {
    return new Request(new URL(url, `http://${LOCAL_HOST}`), {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((item): [string, string] => [name, item]),
      ),
      signal,
      ...(hasBody ? { body, duplex: 'half' } : {}),
    } as RequestInit);
  } catch {
    // An invalid method or header.
    return undefined;
  }
}

/** The body of a request, and a function that discards the rest after an early answer. */
function bodyOf(incoming: IncomingMessage): { stream: ReadableStream<Uint8Array>; discard: () => void } {
  let isDiscarded = false;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      incoming.pause();
      incoming.on('data', (chunk: Uint8Array) => {
        if (isDiscarded) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.once('end', () => {
        if (!isDiscarded) controller.close();
        isDiscarded = true;
      });
      const fail = (error: Error) => {
        if (!isDiscarded) controller.error(error);
        isDiscarded = true;
      };
      incoming.once('error', fail);
      incoming.once('close', () =>
        fail(new Error('the client disconnected before it sent the whole request')),
      );
    },
    pull: () => void incoming.resume(),
    cancel: () => discard(),
  });
  const discard = (): void => {
    isDiscarded = true;
    incoming.resume();
  };
  return { stream, discard };
}

/** Ignores a client that disconnects during a stream; throws any other error. */
function ignoreDeparture(error: unknown): void {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const departures = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ABORT_ERR'];
  if (code === undefined || !departures.includes(code)) throw error;
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
