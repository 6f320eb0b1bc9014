// The listening server, and its graceful end.

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { describeSystemError, systemErrorCode } from 'skillwright/base';
import { Failure, Problem } from '../base/index.ts';

type Fetch = (request: Request, env?: object) => Response | Promise<Response>;

/** Listens. Until `open`, requests are told to come again: the database is being opened or migrated. */
export async function serveHttp({
  host,
  port,
  requestSeconds,
}: {
  readonly host: string;
  readonly port: number;
  readonly requestSeconds: number;
}) {
  let handle: Fetch = answerEarly;
  let open = 0;
  const server = createAdaptorServer({
    fetch: (request: Request, env: object) => handle(request, env),
    serverOptions: {
      headersTimeout: 15_000,
      requestTimeout: requestSeconds * 1000,
      keepAliveTimeout: 20_000,
      maxHeaderSize: 32 * 1024,
    },
  }) as Server;
  server.on('request', (_, response) => {
    open++;
    response.once('close', () => {
      open--;
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new Problem(whyNot(error, { host, port }), { cause: error })));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    /** Hands requests to the application from now on. */
    open(fetch: Fetch) {
      handle = fetch;
    },
    /** Takes no more connections and waits for open requests, at most this long. Returns the number it cut off. */
    async close(milliseconds: number): Promise<number> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection without a request has nothing to wait for.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      let timer: NodeJS.Timeout | undefined;
      let left = 0;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          left = open;
          server.closeAllConnections();
          resolve();
        }, milliseconds);
      });
      await Promise.race([closed, late]);
      clearInterval(sweep);
      clearTimeout(timer);
      return left;
    },
  };
}

function whyNot(error: Error, { host, port }: { readonly host: string; readonly port: number }): string {
  switch (systemErrorCode(error)) {
    case 'EADDRINUSE':
      return `another program listens on port ${port} of ${host}. Stop it, or use another port: --port <number>`;
    case 'EACCES':
      return `this user may not listen on port ${port}. Use one above 1023: --port <number>`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine. Use one of its addresses: --host <address>`;
    default:
      return `cannot listen on port ${port} of ${host}: ${describeSystemError(error)}`;
  }
}

function answerEarly(request: Request): Response {
  if (new URL(request.url).pathname === '/healthz') return Response.json({ ok: true });
  const failure = new Failure('unavailable', 'the server is starting; try again soon');
  return Response.json(failure.toJSON(), { status: 503, headers: { 'retry-after': '2' } });
}
