// Sign-in and sign-out of people, invitations, confirming device logins.

import type { Context } from 'hono';
import { safeReturn } from 'skillwright/pages';
import type { Account } from '../../access/index.ts';
import {
  decideDeviceLogin,
  endSession,
  findDeviceLogin,
  findInvitation,
  findTokenCaller,
  finishSignIn,
  redeemInvitation,
  startAttempt,
  startSession,
} from '../../accounts/index.ts';
import { Failure } from '../../base/index.ts';
import {
  type App,
  demandSameOrigin,
  dropCookie,
  type Environment,
  formField,
  readCookie,
  writeCookie,
} from '../../http/index.ts';
import { type PageHandler, showPage } from '../define-page.ts';
import { messagePage } from '../error-page.ts';
import type { Frame } from '../frame.ts';
import { devicePage, invitationPage, signInPage, signOutPage, welcomePage } from './sign-in-page.ts';

type Page = Context<Environment>;

/** `/signin`, `/signin/start`, `/signin/callback`, `/signout`, `/invite/<code>`, `/device`. */
export function signin(app: App): void {
  app.get('/signin', unseen(showSignIn));
  app.post('/signin', unseen(signInWithToken));
  app.get('/signin/start', unseen(startAtProvider));
  app.get('/signin/callback', unseen(returnFromProvider));
  app.get('/signout', unseen(showSignOut));
  app.post('/signout', unseen(signOut));
  app.get('/invite/:code', unseen(showInvitation));
  app.post('/invite/:code', unseen(acceptWithoutProvider));
  app.get('/device', unseen(showDevice));
  app.post('/device', unseen(decideDevice));
}

/** Pages about signing in are never cached, and other sites do not learn their addresses. */
function unseen(handle: PageHandler): ReturnType<typeof showPage> {
  return showPage((context, frame) => {
    context.header('cache-control', 'no-store');
    context.header('referrer-policy', 'no-referrer');
    return handle(context, frame);
  });
}

async function showSignIn(context: Page, frame: Frame): Promise<string | Response> {
  const returnTo = safeReturn(context.req.query('return'));
  if (context.get('caller').via === 'session') return context.redirect(returnTo, 303);
  return signInPage({ providers: providersOf(context, { return: returnTo }), returnTo }, frame);
}

/** The session has the rights of the token, and ends with it: a stolen token opens no more than it could do itself. */
async function signInWithToken(context: Page, frame: Frame): Promise<string | Response> {
  demandSameOrigin(context);
  const registry = context.get('registry');
  const returnTo = safeReturn(await formField(context, 'return'));
  const token = (await formField(context, 'token'))?.trim() ?? '';
  const caller = await findTokenCaller(registry, token).catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
  if (caller?.account === undefined || caller.provenance !== undefined) {
    context.status(401);
    const providers = providersOf(context, { return: returnTo });
    return signInPage({ providers, returnTo, problem: 'this token does not work' }, frame);
  }
  await openSession(context, { account: caller.account, by: 'token', tokenId: caller.tokenId });
  return context.redirect(returnTo, 303);
}

async function startAtProvider(context: Page): Promise<Response> {
  const registry = context.get('registry');
  const { url, browser } = await startAttempt(registry, {
    provider: context.req.query('provider'),
    returnTo: safeReturn(context.req.query('return')),
    invitation: context.req.query('invite'),
  });
  writeCookie(context, 'signin', { value: browser });
  return context.redirect(url.href, 303);
}

async function returnFromProvider(context: Page): Promise<Response> {
  const browser = readCookie(context, 'signin');
  dropCookie(context, 'signin');
  const { account, returnTo, provider } = await finishSignIn(context.get('registry'), {
    search: new URL(context.req.url).search,
    browser,
  });
  await openSession(context, { account, by: provider });
  return context.redirect(returnTo, 303);
}

async function showSignOut(context: Page, frame: Frame): Promise<string | Response> {
  const { via, account } = context.get('caller');
  if (via !== 'session' || account === undefined) return context.redirect('/', 303);
  return signOutPage({ account: account.name }, frame);
}

async function signOut(context: Page): Promise<Response> {
  const caller = context.get('caller');
  if (caller.sessionId !== undefined) await endSession(context.var, caller.sessionId);
  dropCookie(context, 'session');
  return context.redirect('/', 303);
}

async function showInvitation(context: Page, frame: Frame): Promise<string> {
  const registry = context.get('registry');
  const code = context.req.param('code')!;
  const { account } = await findInvitation(registry.database, { registry, code });
  return invitationPage({ account, code, providers: providersOf(context, { invite: code }) }, frame);
}

/** Where people sign in at a provider, invitations are accepted there, so that leaving it closes the account. */
async function acceptWithoutProvider(context: Page, frame: Frame): Promise<string> {
  demandSameOrigin(context);
  const registry = context.get('registry');
  const { account, id, token } = await redeemInvitation(registry, context.req.param('code')!);
  await openSession(context, { account, by: 'invitation', tokenId: id });
  return welcomePage({ account: account.name, token }, frame);
}

async function showDevice(context: Page, frame: Frame): Promise<string | Response> {
  const code = context.req.query('code')?.slice(0, 20) ?? '';
  const caller = context.get('caller');
  if (caller.via !== 'session') {
    const here = code === '' ? '/device' : `/device?code=${encodeURIComponent(code)}`;
    return context.redirect(`/signin?return=${encodeURIComponent(here)}`, 303);
  }
  if (code === '') return devicePage({ code, login: undefined }, frame);
  try {
    return devicePage({ code, login: await findDeviceLogin(context.var, code) }, frame);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
    context.status(404);
    return devicePage({ code, login: undefined, problem: error.message }, frame);
  }
}

async function decideDevice(context: Page, frame: Frame): Promise<string> {
  const caller = context.get('caller');
  if (caller.via !== 'session') throw new Failure('unauthorised', 'sign in first');
  const isApproved = (await formField(context, 'decision')) === 'approve';
  const userCode = (await formField(context, 'code')) ?? '';
  const { client } = await decideDeviceLogin(context.var, { userCode, isApproved });
  return messagePage(
    isApproved
      ? { title: 'Connected', text: `${client} is signed in. You can close this page.` }
      : { title: 'Refused', text: `${client} was not signed in.` },
    frame,
  );
}

/** A new session for every sign-in; the browser's session before it ends. */
async function openSession(
  context: Page,
  who: { readonly account: Account; readonly by: string; readonly tokenId?: string | undefined },
): Promise<void> {
  const value = await startSession(context.get('registry'), {
    ...who,
    agent: context.req.header('user-agent'),
    previous: readCookie(context, 'session'),
  });
  writeCookie(context, 'session', { value });
}

function providersOf(context: Page, query: Readonly<Record<string, string>>) {
  return context.get('registry').settings.providers.map(({ name, title }) => ({
    title,
    href: `/signin/start?${new URLSearchParams({ provider: name, ...query })}`,
  }));
}
