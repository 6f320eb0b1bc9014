// Responses of the sign-in pages: never cached, framed, or named to other sites.

import type { Context } from 'hono';
import { Failure } from '../base/index.ts';
import type { Environment } from '../http/index.ts';
import { messagePage } from './error-page.ts';
import type { Frame } from './frame.ts';
import { frameOf } from './frame-of.ts';
import { withPageHeaders } from './page-headers.ts';

/** A page as a response. */
export async function answerPage<View>(
  context: Context<Environment>,
  page: (view: View, frame: Frame) => string,
  { view, status = 200 }: { readonly view: View; readonly status?: number },
): Promise<Response> {
  context.header('cache-control', 'no-store');
  context.header('referrer-policy', 'no-referrer');
  return withPageHeaders(await context.html(page(view, frameOf(context)), status as 200));
}

/** A handler whose failures are pages. */
export function pageHandler(
  handle: (context: Context<Environment>) => Promise<Response>,
): (context: Context<Environment>) => Promise<Response> {
  return async (context) => {
    try {
      return await handle(context);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      for (const [name, value] of Object.entries(error.headers)) context.header(name, value);
      const view = { title: 'That did not work', text: error.message };
      return answerPage(context, messagePage, { view, status: error.status });
    }
  };
}

/** A field of a form; undefined for files and repeated fields. */
export async function formField(context: Context<Environment>, name: string): Promise<string | undefined> {
  const value = (await context.req.parseBody())[name];
  return typeof value === 'string' ? value : undefined;
}
