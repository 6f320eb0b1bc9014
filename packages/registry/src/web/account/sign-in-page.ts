// Pages about signing in: with an identity provider or a token, with an invitation, and letting a program in.

import {
  badge,
  card,
  codeBlock,
  dayAndTime,
  definitions,
  field,
  form,
  type Html,
  html,
  notice,
  submit,
} from 'skillwright/pages';
import type { Scope } from 'skillwright/registry-protocol';
import { type Frame, shell } from '../frame.ts';

/** Ways to sign in. */
interface SignInView {
  /** Identity providers. Links, not forms: our policy stops a form whose answer leads to another site. */
  readonly providers: readonly { readonly title: string; readonly href: string }[];
  /** Path to go to afterwards; always on this registry. */
  readonly returnTo: string;
  readonly problem?: string | undefined;
}

export function signInPage({ providers, returnTo, problem }: SignInView, frame: Frame): string {
  const isAlone = providers.length === 0;
  const withToken = form({
    action: '/signin',
    csrf: frame.csrf,
    label: 'Token',
    content: html`<input type="hidden" name="return" value="${returnTo}">${field({
      name: 'token',
      label: 'Token',
      type: 'password',
      hint: 'One that skc login or an administrator gave you. On its first start the server prints one.',
      isRequired: true,
      autocomplete: 'current-password',
      error: problem,
    })}${submit('Sign in', { kind: isAlone ? 'primary' : 'plain' })}`,
  });
  const main = html`<div class="stack-large"><div class="page-head"><h1>Sign in to ${frame.registryName}</h1><p>Private skills, publishing and reviews need an account.</p></div>${providerLinks(providers)}${
    isAlone
      ? card('With a token', withToken)
      : html`<details class="card"${problem === undefined ? '' : html` open`}><summary>Sign in with a token</summary>${withToken}</details>`
  }<p class="muted small">No account? Ask an administrator for an invitation.</p></div>`;
  return shell(frame, { title: 'Sign in', main, width: 'narrow' });
}

/** One button per identity provider. */
function providerLinks(providers: SignInView['providers']) {
  return providers.map(
    ({ title, href }) => html`<p><a class="button primary" href="${href}">Continue with ${title}</a></p>`,
  );
}

export function signOutPage({ account }: { readonly account: string }, frame: Frame): string {
  const main = html`<div class="stack"><h1>Sign out</h1><p>You are signed in as <bdi>${account}</bdi>.</p>${form({ action: '/signout', csrf: frame.csrf, content: submit('Sign out') })}</div>`;
  return shell(frame, { title: 'Sign out', main, width: 'narrow' });
}

/** A login that waits for its confirmation; without one the page asks for the code. */
interface DeviceView {
  readonly code: string;
  readonly login:
    | { readonly client: string; readonly scopes: readonly Scope[]; readonly requested: Date }
    | undefined;
  readonly problem?: string | undefined;
}

export function devicePage(view: DeviceView, frame: Frame): string {
  const main = html`<div class="stack-large"><div class="page-head"><h1>Connect a program</h1></div>${content(view, frame)}</div>`;
  return shell(frame, { title: 'Connect a program', main, width: 'narrow' });
}

function content({ code, login, problem }: DeviceView, { csrf, viewer }: Frame): Html {
  if (login === undefined)
    return html`<form class="form" method="get" action="/device">${field({ name: 'code', label: 'Code', value: code, hint: 'The code that skc login shows in your terminal', isRequired: true, autocomplete: 'off', maxLength: 20, error: problem })}${submit('Continue')}</form>`;
  return html`<p>Compare this code with the one in your terminal. Go on only if you started the login yourself.</p><p class="code-word">${code}</p>${definitions(
    [
      ['Program', html`<bdi dir="auto">${login.client}</bdi>`],
      [
        'Asks for',
        html`<span class="row">${login.scopes.map((scope) => badge(scope, scope === 'admin' ? { tone: 'warn' } : {}))}</span>`,
      ],
      ['Requested', dayAndTime(login.requested.toISOString())],
      ['Acts as', viewer === undefined ? null : html`<bdi>${viewer.account}</bdi>`],
    ],
  )}${form({
    action: '/device',
    csrf,
    content: html`<input type="hidden" name="code" value="${code}"><div class="row">${submit('Confirm', { name: 'decision', value: 'approve' })}${submit('Refuse', { kind: 'danger', name: 'decision', value: 'deny' })}</div>`,
  })}`;
}

/** An open invitation. Where there are providers, it is accepted by signing in at one. */
export function invitationPage(
  { account, code, providers }: Pick<SignInView, 'providers'> & { account: string; code: string },
  frame: Frame,
): string {
  const accept =
    providers.length > 0
      ? providerLinks(providers)
      : form({ action: `/invite/${encodeURIComponent(code)}`, csrf: frame.csrf, content: submit('Accept') });
  const main = html`<div class="stack-large"><div class="page-head"><h1>You are invited to ${frame.registryName}</h1><p>Your account will be <strong><bdi>${account}</bdi></strong>.</p></div>${accept}</div>`;
  return shell(frame, { title: 'Invitation', main, width: 'narrow' });
}

/** The token to sign in with, shown once. */
export function welcomePage({ account, token }: { account: string; token: string }, frame: Frame): string {
  const main = html`<div class="stack-large"><div class="page-head"><h1>Welcome, <bdi>${account}</bdi></h1></div>${notice(
    'good',
    {
      title: 'Keep this token',
      body: html`<p>You sign in with it. It is not shown again.</p>${codeBlock(token, { label: 'your token' })}`,
    },
  )}<p><a class="button primary" href="/">Continue</a></p></div>`;
  return shell(frame, { title: 'Welcome', main, width: 'narrow' });
}
