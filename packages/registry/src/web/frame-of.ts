// The frame of a request's page, and pages as responses.

import type { Context } from 'hono';
import type { Environment } from '../app/create-app.ts';
import { Failure } from '../app/failure.ts';
import { failureOf } from '../app/failure-of.ts';
import { errorPage } from './error-page.ts';
import type { Frame } from './frame.ts';
import { themeOf } from './page-assets.ts';
import { withPageHeaders } from './page-headers.ts';

/** Who looks at the page, and where it stands. */
export function frameOf(context: Context<Environment>): Frame {
  const { settings, publicUrl } = context.get('registry');
  const { account, roles } = context.get('caller');
  const { pathname, search } = new URL(context.req.url);
  const reviews = [...roles.values()].some((has) => has.has('reviewer') || has.has('admin'));
  return {
    registryName: settings.title,
    publicUrl,
    viewer:
      account === undefined
        ? undefined
        : { account: account.name, isAdmin: account.isAdmin, mayReview: account.isAdmin || reviews },
    csrf: context.get('csrf') ?? '',
    theme: themeOf(context),
    // Addresses of invitations are secrets, and no page to return to.
    path: /^\/(?:invite|signin|signout)(?:\/|$)/.test(pathname) ? '/' : pathname + search,
  };
}

/** Makes the text of a page, or a response. */
export type PageHandler = (context: Context<Environment>, frame: Frame) => Promise<string | Response>;

/** A handler whose results and failures are pages. Without an account, pages that need one lead to the sign-in. */
export function showPage(handle: PageHandler): (context: Context<Environment>) => Promise<Response> {
  return async (context) => {
    const frame = frameOf(context);
    try {
      const made = await handle(context, frame);
      return withPageHeaders(typeof made === 'string' ? await context.html(made) : made);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === undefined) throw error;
      return failurePage(context, failure);
    }
  };
}

/** The page of a failure. */
export async function failurePage(context: Context<Environment>, failure: Failure): Promise<Response> {
  const frame = frameOf(context);
  if (failure.code === 'unauthorised' && context.req.method === 'GET')
    return context.redirect(`/signin?return=${encodeURIComponent(frame.path)}`, 303);
  const { status, message, details, headers } = failure;
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  return withPageHeaders(await context.html(errorPage({ status, message, details }, frame), status as 400));
}

/** Whether a browser asks, and not a program. */
export function wantsPage(context: Context<Environment>): boolean {
  return (context.req.header('accept') ?? '').includes('text/html') && !context.req.path.startsWith('/api/');
}

/** Fields of a form, as text. */
export async function readForm(context: Context<Environment>): Promise<Readonly<Record<string, string>>> {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(await context.req.parseBody()))
    if (typeof value === 'string') fields[name] = value;
  return fields;
}

/** Values of a field that a form has several times. */
export async function readChoices(context: Context<Environment>, name: string): Promise<string[]> {
  const found = (await context.req.parseBody({ all: true }))[name];
  return [found].flat().filter((value): value is string => typeof value === 'string');
}

/** Checks a form against a schema of the protocol. */
export function checkForm<Output>(
  schema: {
    safeParse(
      value: unknown,
    ):
      | { success: true; data: Output }
      | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } };
  },
  value: unknown,
): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Failure('bad_request', 'the form is not valid', {
    details: result.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`),
  });
}
