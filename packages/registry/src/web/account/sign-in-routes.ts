// Sign-in and sign-out of people, invitations, confirming device logins.

import type { Context } from 'hono';
import { Scope } from 'skillwright/registry-protocol';
import { type Account, record } from '../../access/index.ts';
import {
  acceptInvitation,
  asPerson,
  createToken,
  decideDeviceLogin,
  endSession,
  findDeviceLogin,
  findInvitation,
  findTokenCaller,
  finishSignIn,
  startAttempt,
  startSession,
} from '../../accounts/index.ts';
import { Failure } from '../../base/index.ts';
import {
  type App,
  demandSameOrigin,
  dropCookie,
  type Environment,
  readCookie,
  writeCookie,
} from '../../http/index.ts';
import { answerPage, formField, pageHandler } from '../answer-page.ts';
import { messagePage } from '../error-page.ts';
import { returnPath } from '../return-path.ts';
import { devicePage } from './device-page.ts';
import { invitationPage, welcomePage } from './invitation-page.ts';
import { signInPage, signOutPage } from './sign-in-page.ts';

/** `/signin`, `/signin/start`, `/signin/callback`, `/signout`, `/invite/<code>`, `/device`. */
export function signin(app: App): void {
  app.get('/signin', pageHandler(showSignIn));
  app.post('/signin', pageHandler(signInWithToken));
  app.get('/signin/start', pageHandler(startAtProvider));
  app.get('/signin/callback', pageHandler(returnFromProvider));
  app.get('/signout', pageHandler(showSignOut));
  app.post('/signout', pageHandler(signOut));
  app.get('/invite/:code', pageHandler(showInvitation));
  app.post('/invite/:code', pageHandler(acceptWithoutProvider));
  app.get('/device', pageHandler(showDevice));
  app.post('/device', pageHandler(decideDevice));
}

async function showSignIn(context: Context<Environment>): Promise<Response> {
  const returnTo = returnPath(context.req.query('return'), context.get('registry').publicUrl);
  if (context.get('caller').via === 'session') return context.redirect(returnTo, 303);
  return answerSignIn(context, { returnTo });
}

/** The session has the rights of the token, and ends with it: a stolen token opens no more than it could do itself. */
async function signInWithToken(context: Context<Environment>): Promise<Response> {
  demandSameOrigin(context);
  const registry = context.get('registry');
  const returnTo = returnPath(await formField(context, 'return'), registry.publicUrl);
  const token = (await formField(context, 'token'))?.trim() ?? '';
  const caller = await findTokenCaller(registry, token).catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
  if (caller?.account === undefined || caller.provenance !== undefined)
    return answerSignIn(context, { returnTo, problem: 'this token does not work', status: 401 });
  await openSession(context, { account: caller.account, by: 'token', tokenId: caller.tokenId });
  return context.redirect(returnTo, 303);
}

function answerSignIn(
  context: Context<Environment>,
  {
    returnTo,
    problem,
    status = 200,
  }: { readonly returnTo: string; readonly problem?: string; readonly status?: number },
): Promise<Response> {
  const view = {
    providers: providersOf(context, { return: returnTo }),
    returnTo,
    problem,
  };
  return answerPage(context, signInPage, { view, status });
}

async function startAtProvider(context: Context<Environment>): Promise<Response> {
  const registry = context.get('registry');
  const { url, browser } = await startAttempt(registry, {
    provider: context.req.query('provider'),
    returnTo: returnPath(context.req.query('return'), registry.publicUrl),
    invitation: context.req.query('invite'),
  });
  writeCookie(context, 'signin', { value: browser });
  context.header('cache-control', 'no-store');
  context.header('referrer-policy', 'no-referrer');
  return context.redirect(url.href, 303);
}

async function returnFromProvider(context: Context<Environment>): Promise<Response> {
  const browser = readCookie(context, 'signin');
  dropCookie(context, 'signin');
  const { account, returnTo, provider } = await finishSignIn(context.get('registry'), {
    search: new URL(context.req.url).search,
    browser,
  });
  await openSession(context, { account, by: provider });
  context.header('cache-control', 'no-store');
  return context.redirect(returnTo, 303);
}

async function showSignOut(context: Context<Environment>): Promise<Response> {
  const { via, account } = context.get('caller');
  if (via !== 'session' || account === undefined) return context.redirect('/', 303);
  return answerPage(context, signOutPage, { view: { account: account.name } });
}

async function signOut(context: Context<Environment>): Promise<Response> {
  const caller = context.get('caller');
  if (caller.sessionId !== undefined) await endSession(context.get('registry'), caller, caller.sessionId);
  dropCookie(context, 'session');
  return context.redirect('/', 303);
}

async function showInvitation(context: Context<Environment>): Promise<Response> {
  const registry = context.get('registry');
  const code = context.req.param('code')!;
  const { account } = await findInvitation(registry.database, { registry, code });
  const providers = providersOf(context, { invite: code });
  return answerPage(context, invitationPage, { view: { account, code, providers } });
}

/** Where people sign in at a provider, invitations are accepted there, so that leaving it closes the account. */
async function acceptWithoutProvider(context: Context<Environment>): Promise<Response> {
  demandSameOrigin(context);
  const registry = context.get('registry');
  if (registry.settings.providers.length > 0)
    throw new Failure('forbidden', 'accept the invitation by signing in at a provider');
  const code = context.req.param('code')!;
  const { account, token } = await registry.database.transaction(async (tx) => {
    const { id } = await findInvitation(tx, { registry, code });
    const account = await acceptInvitation(tx, { registry, id });
    const scopes = Scope.options.filter((scope) => scope !== 'admin' || account.isAdmin);
    const token = await createToken(tx, { accountId: account.id, name: 'sign-in', scopes });
    await record(tx, asPerson(account), {
      action: 'token.create',
      details: { id: token.id, name: 'sign-in', scopes },
    });
    return { account, token };
  });
  await openSession(context, { account, by: 'invitation', tokenId: token.id });
  return answerPage(context, welcomePage, { view: { account: account.name, token: token.token } });
}

async function showDevice(context: Context<Environment>): Promise<Response> {
  const code = context.req.query('code')?.slice(0, 20) ?? '';
  const caller = context.get('caller');
  if (caller.via !== 'session') {
    const here = code === '' ? '/device' : `/device?code=${encodeURIComponent(code)}`;
    return context.redirect(`/signin?return=${encodeURIComponent(here)}`, 303);
  }
  if (code === '')
    return answerPage(context, devicePage, { view: { code, login: undefined, problem: undefined } });
  try {
    const login = await findDeviceLogin(context.get('registry'), caller, code);
    return answerPage(context, devicePage, { view: { code, login, problem: undefined } });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
    const view = { code, login: undefined, problem: error.message };
    return answerPage(context, devicePage, { view, status: 404 });
  }
}

async function decideDevice(context: Context<Environment>): Promise<Response> {
  const caller = context.get('caller');
  if (caller.via !== 'session') throw new Failure('unauthorised', 'sign in first');
  const isApproved = (await formField(context, 'decision')) === 'approve';
  const userCode = (await formField(context, 'code')) ?? '';
  const { client } = await decideDeviceLogin(context.get('registry'), caller, { userCode, isApproved });
  return answerPage(context, messagePage, {
    view: isApproved
      ? { title: 'Connected', text: `${client} is signed in. You can close this page.` }
      : { title: 'Refused', text: `${client} was not signed in.` },
  });
}

/** A new session for every sign-in; the browser's session before it ends. */
async function openSession(
  context: Context<Environment>,
  {
    account,
    by,
    tokenId,
  }: { readonly account: Account; readonly by: string; readonly tokenId?: string | undefined },
): Promise<void> {
  const registry = context.get('registry');
  const value = await registry.database.transaction((tx) =>
    startSession(tx, {
      registry,
      account,
      by,
      tokenId,
      agent: context.req.header('user-agent'),
      previous: readCookie(context, 'session'),
    }),
  );
  writeCookie(context, 'session', { value });
}

function providersOf(context: Context<Environment>, query: Readonly<Record<string, string>>) {
  return context.get('registry').settings.providers.map(({ name, title }) => ({
    title,
    href: `/signin/start?${new URLSearchParams({ provider: name, ...query })}`,
  }));
}
