// Headers of documents that can be asked for again: ETag, caches, 304.

import type { Context } from 'hono';
import type { Environment } from './environment.ts';

/** A document with its ETag. */
interface TaggedDocument {
  readonly tag: string;
  /** Whether a shared cache may keep it. */
  readonly isPublic: boolean;
  /** Seconds a cache may use it without asking. */
  readonly maxAge: number;
  readonly isImmutable?: boolean;
  readonly type: string;
}

/** 304 when the caller has the document already, else the document. */
export async function answerTagged(
  context: Context<Environment>,
  document: TaggedDocument,
  read: () => string | Uint8Array | Promise<string | Uint8Array>,
): Promise<Response> {
  const age = document.maxAge === 0 ? 'no-cache' : `max-age=${document.maxAge}`;
  const headers: Record<string, string> = {
    etag: document.tag,
    'cache-control': `${document.isPublic ? 'public' : 'private'}, ${age}${document.isImmutable ? ', immutable' : ''}`,
    vary: 'authorization, cookie',
    'content-type': document.type,
    'x-content-type-options': 'nosniff',
  };
  if (matches(context.req.header('if-none-match'), document.tag)) {
    const { 'content-type': _, ...rest } = headers;
    return context.body(null, 304, rest);
  }
  return context.body((await read()) as string, 200, headers);
}

/** Whether a list of ETags contains this one. */
function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}
