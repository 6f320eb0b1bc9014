// The frame of a request's page, and pages as responses.

import type { Context } from 'hono';
import {
  parseAddress,
  type RegistryErrorCode,
  type SkillAddress,
  Version,
} from 'skillwright/registry-protocol';
import { notFound } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { type Environment, failureOf } from '../http/index.ts';
import { errorPage } from './error-page.ts';
import type { Frame } from './frame.ts';
import { themeOf } from './page-assets.ts';
import { withPageHeaders } from './page-headers.ts';
import type { SentForm } from './sent-form.ts';

/** The viewer of a page, and its address. */
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
type PageHandler = (context: Context<Environment>, frame: Frame) => Promise<string | Response>;

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

/** Fields of a form that are not valid. */
class FormFailure extends Failure {
  readonly fields: Readonly<Record<string, string>>;

  constructor(fields: Readonly<Record<string, string>>) {
    super('bad_request', 'the form is not valid', {
      details: Object.entries(fields).map(([name, message]) => `${name}: ${message}`),
    });
    this.fields = fields;
  }
}

/** Failures that the person who filled in the form can do something about. */
const repairable: readonly RegistryErrorCode[] = [
  'bad_request',
  'conflict',
  'name_taken',
  'not_found',
  'rate_limited',
];

/**
 * Does the work of a form. When what was typed is the reason for a failure, the page is shown again with it; a failure that
 * names no field stands beside the field `main`. `also` are failures after which the page still has the form.
 */
export async function orAgain(
  context: Context<Environment>,
  {
    form,
    main,
    again,
    also = [],
  }: {
    form: string;
    main: string;
    again: (sent: SentForm) => Promise<string>;
    also?: readonly RegistryErrorCode[];
  },
  work: () => Promise<string | Response>,
): Promise<string | Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || ![...repairable, ...also].includes(error.code)) throw error;
    const entries = Object.entries(await context.req.parseBody({ all: true }));
    const values = entries
      .filter(([name]) => name !== 'csrf')
      .map(([name, value]) => [name, [value].flat().filter((one) => typeof one === 'string')] as const);
    const found =
      error instanceof FormFailure ? error.fields : { '': [error.message, ...error.details].join('; ') };
    const errors = Object.entries(found).map(
      ([name, message]) => [name === '' ? main : name, message] as const,
    );
    context.status(error.status as 400);
    return again({ form, values: Object.fromEntries(values), errors: Object.fromEntries(errors) });
  }
}

/** Checks a form against a schema of the protocol. A problem belongs to the last name of its path. */
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
  throw new FormFailure(
    Object.fromEntries(
      result.error.issues.map(({ path, message }) => [
        String(path.findLast((part) => typeof part === 'string') ?? ''),
        message,
      ]),
    ),
  );
}
