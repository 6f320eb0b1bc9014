// A page as a row: where it is, what it loads, how it is drawn, and the forms on it.

import type { Context } from 'hono';
import { parseAddress, type SkillAddress, Version } from 'skillwright/registry-protocol';
import { anonymous, type Caller, isModerator, notFound } from '../access/index.ts';
import type { Failure } from '../base/index.ts';
import { type Environment, failureOf } from '../http/index.ts';
import type { Registry } from '../registry.ts';
import { errorPage } from './error-page.ts';
import type { FormRow } from './forms/form-route.ts';
import type { Frame } from './frame.ts';
import { withPageHeaders } from './page-headers.ts';
import { themeOf } from './site-routes.ts';

/** One request for a page. */
export interface Visit {
  readonly registry: Registry;
  readonly caller: Caller;
  readonly context: Context<Environment>;
  readonly frame: Frame;
}

/** A page of the registry. */
export interface WebPage<View> {
  readonly path: string | readonly string[];
  /** Fails like the API for those who may not see the page. */
  load(visit: Visit): View | Promise<View>;
  draw(view: View, frame: Frame): string;
  /** Its forms. One that is refused shows the page again. */
  readonly forms?: readonly FormRow[];
}

/** Declares a page. */
export function definePage<View>(page: WebPage<View>): WebPage<View> {
  return page;
}

/** The text of a page. */
export async function drawPage<View>(
  { load, draw }: WebPage<View>,
  context: Context<Environment>,
  frame: Frame,
): Promise<string> {
  const visit = { registry: context.get('registry'), caller: context.get('caller'), context, frame };
  return draw(await load(visit), frame);
}

/** The viewer of a page, and its address. */
function frameOf(context: Context<Environment>): Frame {
  const { settings, publicUrl } = context.get('registry');
  // A request may fail before anybody knows whose it is.
  const caller = (context.get('caller') as Caller | undefined) ?? anonymous;
  const { account, roles } = caller;
  const { pathname, search } = new URL(context.req.url);
  const reviews = [...roles.values()].some((has) => has.has('reviewer') || has.has('admin'));
  return {
    registryName: settings.title,
    publicUrl,
    viewer:
      account === undefined
        ? undefined
        : {
            account: account.name,
            isAdmin: account.isAdmin,
            mayModerate: isModerator(caller),
            mayReview: isModerator(caller) || reviews,
          },
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
  // A browser without a session signs in; a program whose token is refused hears so.
  const mayPass = context.req.header('authorization') === undefined;
  if (failure.code === 'unauthorised' && mayPass && context.req.method === 'GET')
    return context.redirect(`/signin?return=${encodeURIComponent(frame.path)}`, 303);
  const { status, message, details, headers } = failure;
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  return withPageHeaders(await context.html(errorPage({ status, message, details }, frame), status as 400));
}

/** The skill in the address of a page. */
export function addressIn(context: Context<Environment>): SkillAddress {
  const address = parseAddress(`${context.req.param('owner')}/${context.req.param('name')}`);
  if (address === undefined) throw notFound();
  return address;
}

/** A version that an address or a form names. */
export function checkVersion(text: string | undefined): string {
  const { success, data } = Version.safeParse(text);
  if (!success) throw notFound();
  return data;
}

/** Whether a browser asks, and not a program. */
export function wantsPage(context: Context<Environment>): boolean {
  return (context.req.header('accept') ?? '').includes('text/html') && !context.req.path.startsWith('/api/');
}
