// Headers that keep third-party content from running in a browser.

import { isUtf8 } from 'node:buffer';
import type { MiddlewareHandler } from 'hono';
import { pageHeaders as always } from 'skillwright/pages';

/** Policy of third-party files: even opened directly they have no origin and load nothing. */
const FILE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** Sets the headers on every response that has no policy of its own. */
export const pageHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  withPageHeaders(context.res);
};

/** Adds the headers to a response; those it has stay. */
export function withPageHeaders(response: Response): Response {
  const { headers } = response;
  for (const [name, value] of Object.entries(always)) if (!headers.has(name)) headers.set(name, value);
  return response;
}

const rasterTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

/** A file of a skill: raster pictures as such, text as plain text, everything else as a download. */
export function strangersFile(path: string, bytes: Uint8Array): Response {
  const type =
    rasterTypes[path.split('.').at(-1)?.toLowerCase() ?? ''] ??
    (looksLikeText(bytes) ? 'text/plain; charset=utf-8' : undefined);
  const name = encodeURIComponent(path.split('/').at(-1) ?? 'file').replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': type ?? 'application/octet-stream',
      'content-disposition': `${type === undefined ? 'attachment' : 'inline'}; filename*=UTF-8''${name}`,
      'content-security-policy': FILE_POLICY,
      'x-content-type-options': 'nosniff',
    },
  });
}

/** Whether a file can be shown as text. */
export function looksLikeText(bytes: Uint8Array): boolean {
  return !bytes.includes(0) && isUtf8(bytes);
}
