// Signing in: with an identity provider, or with a token.

import { card, field, form, html, submit } from 'skillwright/pages';
import { type Frame, shell } from '../frame.ts';

/** Ways to sign in. */
export interface SignInView {
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
export function providerLinks(providers: SignInView['providers']) {
  return providers.map(
    ({ title, href }) => html`<p><a class="button primary" href="${href}">Continue with ${title}</a></p>`,
  );
}

export function signOutPage({ account }: { readonly account: string }, frame: Frame): string {
  const main = html`<div class="stack"><h1>Sign out</h1><p>You are signed in as <bdi>${account}</bdi>.</p>${form({ action: '/signout', csrf: frame.csrf, content: submit('Sign out') })}</div>`;
  return shell(frame, { title: 'Sign out', main, width: 'narrow' });
}
