// Responses of the studio.

import type { ServerResponse } from 'node:http';
import { type Html, pageHeaders } from '../../pages/index.ts';

/** A finished response. */
export interface StudioResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

/** A page, which no cache keeps. */
export function pageResponse(html: Html, status = 200): StudioResponse {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: html.toString(),
  };
}

/** JSON that no cache keeps. */
export function jsonResponse(value: unknown, status = 200): StudioResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  };
}

/** Leads a browser to another page of the studio, with GET. */
export function redirectTo(path: string, cookies: readonly string[] = []): StudioResponse {
  return {
    status: 303,
    headers: {
      location: path,
      'cache-control': 'no-store',
      ...(cookies.length === 0 ? {} : { 'set-cookie': cookies }),
    },
    body: '',
  };
}

/** Sends it. */
export function send(outgoing: ServerResponse, { status, headers, body }: StudioResponse): void {
  const bytes = Buffer.from(body);
  for (const [name, value] of Object.entries({ ...pageHeaders, ...headers }))
    outgoing.setHeader(name, value as string | string[]);
  outgoing.setHeader('content-length', bytes.length);
  outgoing.writeHead(status);
  outgoing.end(bytes);
}

/** A path of the studio to go back to; anything else becomes `/`. */
export function safeBack(path: string | undefined): string {
  return path !== undefined && path.length <= 2000 && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : '/';
}
