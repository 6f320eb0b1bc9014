// Any number of clients over Streamable HTTP, from this machine alone.

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { describeSystemError, systemErrorCode } from '../files/system-error.ts';
import { createServer } from './create-server.ts';
import { watchSkills } from './watch-skills.ts';
import type { Workspace } from './workspace.ts';

const HOST = '127.0.0.1';
const PATH = '/mcp';
const MAX_CONNECTIONS = 256;
const MAX_SUBSCRIPTIONS = 64;

/** Serves until the signal comes. E100 when the port cannot be had. */
export async function serveOverHttp(workspace: Workspace, port: number): Promise<void> {
  const { context } = workspace;
  const cwd = async () => context.cwd;
  // Requests stand alone, so there are no sessions to keep; only open subscriptions hold something.
  const handler = createMcpHandler(
    ({ era }) => createServer(workspace, { cwd, tellsChanges: era === 'modern' }),
    { maxSubscriptions: MAX_SUBSCRIPTIONS, onerror: (error) => context.note(`mcp: ${error.message}`) },
  );
  const watched = watchSkills({
    context: () => context,
    list: () => workspace.listSkills(context.cwd),
    changed() {
      handler.notify.resourcesChanged();
      handler.notify.promptsChanged();
    },
  });
  const http = createHttpServer((incoming, outgoing) => {
    answer(handler.fetch, incoming, outgoing).catch((error: unknown) => {
      context.note(`mcp: ${describeSystemError(error)}`);
      outgoing.destroy();
    });
  });
  http.maxConnections = MAX_CONNECTIONS;
  try {
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject).listen(port, HOST, resolve);
    });
    context.note(`serving on http://${HOST}:${(http.address() as AddressInfo).port}${PATH}`);
    await new Promise<void>((resolve) => {
      context.signal.addEventListener('abort', () => resolve(), { once: true });
      if (context.signal.aborted) resolve();
    });
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    const why = `--http ${port}: ${systemErrorCode(error) === 'EADDRINUSE' ? 'the port is taken' : describeSystemError(error)}`;
    throw SkillwrightError.of('E100', { why });
  } finally {
    watched.close();
    await handler.close();
    http.close();
    http.closeAllConnections();
  }
}

/** One exchange: who may ask and where, then the protocol. */
async function answer(
  serve: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const request = requestOf(incoming, gone.signal);
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
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(ignoreDeparture);
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', headers, url = '/' } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  try {
    return new Request(new URL(url, `http://${HOST}`), {
      method,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((item): [string, string] => [name, item]),
      ),
      signal,
      ...(hasBody ? { body: Readable.toWeb(incoming) as never, duplex: 'half' } : {}),
    } as RequestInit);
  } catch {
    // A method or a header that no request may have.
    return undefined;
  }
}

/** A client that leaves in the middle of a stream is no failure. */
function ignoreDeparture(error: unknown): void {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const departures = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ABORT_ERR'];
  if (code === undefined || !departures.includes(code)) throw error;
}
