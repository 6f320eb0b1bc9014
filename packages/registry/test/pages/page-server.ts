// Serves pages made from fixtures, with the headers of the real server.

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { Frame } from '../../src/web/frame.ts';
import { pageHeaders, strangersFile } from '../../src/web/page-headers.ts';
import { pageAssets, themeOf } from '../../src/web/site-routes.ts';
import { frame } from './fixtures.ts';

export type Render = (frame: Frame, query: URLSearchParams) => string;

/** The smallest picture: one green pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==',
  'base64',
);

/** Starts the server. Files below `raw/` come from `files`. */
export async function startPageServer(
  pages: Readonly<Record<string, Render>>,
  files: Readonly<Record<string, string>> = {},
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const app = new Hono();
  app.use(pageHeaders);
  pageAssets(app);
  app.get('*', (context) => {
    const url = new URL(context.req.url);
    const path = decodeURIComponent(url.pathname);
    const render = pages[path];
    if (render !== undefined)
      return context.html(
        render({ ...frame, theme: themeOf(context), path: `${url.pathname}${url.search}` }, url.searchParams),
      );
    const file = Object.keys(files).find((name) => path.endsWith(`/raw/${name}`));
    if (file !== undefined) return strangersFile(file, Buffer.from(files[file]!));
    if (path.endsWith('.png')) return strangersFile(path, pixel);
    return context.text('no such page', 404);
  });
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
