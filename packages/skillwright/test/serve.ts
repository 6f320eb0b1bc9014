// A web server on the loopback interface for one test, closed when the test is over.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server that answers. */
export interface Served {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  /** Requests in order: method and path. */
  readonly requests: readonly string[];
}

/** Starts a server; a promise that the handler gives is waited for. */
export async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<Served> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    Promise.resolve(handle(request, response)).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, requests };
}

/** A server of files: paths to their content. Anything else is 404. */
export function serveFiles(files: Readonly<Record<string, string | Uint8Array>>): Promise<Served> {
  const types: Record<string, string> = {
    json: 'application/json',
    md: 'text/markdown',
    gz: 'application/gzip',
    zip: 'application/zip',
  };
  return serve(({ url = '/' }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://x').pathname);
    const content = Object.hasOwn(files, path) ? files[path]! : undefined;
    if (content === undefined) response.writeHead(404).end('nothing here');
    else {
      response.setHeader('content-type', types[path.split('.').at(-1)!] ?? 'application/octet-stream');
      response.end(content);
    }
  });
}
