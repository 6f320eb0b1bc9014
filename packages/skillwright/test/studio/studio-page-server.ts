// Serves pages of the studio made from views, with its headers, and events that a test sends.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assets } from '../../src/front/pages/index.ts';
import type { StudioFrame } from '../../src/front/studio/pages/studio-shell.ts';
import type { Render } from './sample-pages.ts';
import { frame } from './sample-views.ts';

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A running server. */
export interface PageServer {
  readonly origin: string;
  /** Forms it was sent: path and body. */
  readonly sent: string[];
  /** Sends an event to every page that listens. */
  emit(data: unknown, event?: string): void;
  /** Ends the open streams; new ones are refused while `isDown`. */
  cut(isDown: boolean): void;
  listeners(): number;
  close(): Promise<void>;
}

export async function startPageServer(pages: Readonly<Record<string, Render>>): Promise<PageServer> {
  const streams = new Set<ServerResponse>();
  const sent: string[] = [];
  let isDown = false;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    response.setHeader('content-security-policy', policy);
    response.setHeader('x-content-type-options', 'nosniff');
    const asset = Object.values(assets).find(({ name }) => url.pathname === `/assets/${name}`);
    const render = pages[url.pathname];
    if (request.method === 'POST') {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        sent.push(`${url.pathname} ${body}`);
        response.writeHead(303, { location: new URLSearchParams(body).get('back') ?? '/' }).end();
      });
    } else if (url.pathname === '/events' && !isDown) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write('retry: 50\n\n');
      streams.add(response);
      request.on('close', () => streams.delete(response));
    } else if (asset !== undefined) response.writeHead(200, { 'content-type': asset.type }).end(asset.body);
    else if (render !== undefined) {
      const shown: StudioFrame = { ...frame, path: `${url.pathname}${url.search}` };
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(render(shown, url.searchParams).toString());
    } else response.writeHead(url.pathname === '/favicon.ico' ? 204 : 404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    emit(data, event) {
      const name = event === undefined ? '' : `event: ${event}\n`;
      for (const stream of streams) stream.write(`${name}data: ${JSON.stringify(data)}\n\n`);
    },
    cut(down) {
      isDown = down;
      for (const stream of streams) stream.end();
      streams.clear();
    },
    listeners: () => streams.size,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
