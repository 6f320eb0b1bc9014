// Any number of clients over Streamable HTTP, from this machine alone.

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
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
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { describeSystemError, systemErrorCode } from '../../base/files/index.ts';
import { createServer, type Serving } from './create-server.ts';
import { createHttpListeners, type HttpListeners, parseMessage } from './http-listeners.ts';
import { createHttpSessions, type HttpSessions, SESSION_HEADER } from './http-sessions.ts';
import { limitConnections } from './limit-connections.ts';
import { LISTEN_METHOD } from './listened-uris.ts';

const HOST = '127.0.0.1';
const PATH = '/mcp';
const MAX_SUBSCRIPTIONS = 64;

/** Where and how long it serves. */
export interface HttpOptions {
  readonly port: number;
  readonly cwd: string;
  readonly signal: AbortSignal;
  now(): Date;
}

/** Serves until the signal comes. E100 when the port cannot be had. */
export async function serveOverHttp(serving: Serving, options: HttpOptions): Promise<void> {
  const { port, signal } = options;
  const cwd = async () => options.cwd;
  const onerror = (error: Error) => serving.note(`mcp: ${error.message}`);
  // Requests that stand alone: those of the newer revision, and those of clients that have not shaken hands. They have no
  // session of their own, so theirs is that of the command line.
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
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject).listen(port, HOST, resolve);
    });
    // A client that has been told the lists hears of every change to them.
    await watched.ready;
    serving.note(`serving on http://${HOST}:${(http.address() as AddressInfo).port}${PATH}`);
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    const why = `--http ${port}: ${systemErrorCode(error) === 'EADDRINUSE' ? 'the port is taken' : describeSystemError(error)}`;
    throw SkillwrightError.of('E100', { why });
  } finally {
    watched.close();
    // Whatever is being worked on is given up, so that closing waits for nobody.
    await serving.backend.close();
    await sessions.close();
    await handler.close();
    http.close();
    http.closeAllConnections();
  }
}

/** Who answers. */
interface Routes {
  readonly handler: McpHttpHandler;
  readonly sessions: HttpSessions;
  readonly listeners: HttpListeners;
}

/** A request of a session, one that starts a session, or one that stands alone. */
async function route(request: Request, { handler, sessions, listeners }: Routes): Promise<Response> {
  // Classified before the body is read: what is of the newer revision knows no sessions.
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

/** One exchange: who may ask and where, then the protocol. */
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
      : // A page of another site may reach this port by a name of its own; neither its name nor its origin is let in.
        (hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
        originValidationResponse(request, localhostAllowedOrigins()) ??
        (new URL(request.url).pathname === PATH
          ? await serve(request)
          : new Response(null, { status: 404 })));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  // A client that waits for events must know at once that it is listened to.
  outgoing.flushHeaders();
  // The connection serves the next request once this one has been read, also when nobody wants the rest of it.
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
    return new Request(new URL(url, `http://${HOST}`), {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((item): [string, string] => [name, item]),
      ),
      signal,
      ...(hasBody ? { body, duplex: 'half' } : {}),
    } as RequestInit);
  } catch {
    // A method or a header that no request may have.
    return undefined;
  }
}

/** The body of a request, and how the rest of one that was answered early is thrown away. */
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
      incoming.once('close', () => fail(new Error('the client left before it had sent its request')));
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

/** A client that leaves in the middle of a stream is no failure. */
function ignoreDeparture(error: unknown): void {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const departures = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ABORT_ERR'];
  if (code === undefined || !departures.includes(code)) throw error;
}
