// Signing in: with the identity provider, or with a token.

import { card, field, form, html, notice, submit } from 'skillwright/pages';
import { type Frame, shell } from '../frame.ts';

/** Ways to sign in. */
export interface SignInView {
  /** The identity provider, if there is one. */
  readonly provider: { readonly name: string } | undefined;
  /** Path to go to afterwards; always on this registry. */
  readonly back: string;
  readonly error?: string | undefined;
}

export function signInPage({ provider, back, error }: SignInView, frame: Frame): string {
  const hidden = html`<input type="hidden" name="back" value="${back}">`;
  // A link, not a form: the policy of our pages stops a form whose answer leads to another site.
  const withProvider =
    provider === undefined
      ? ''
      : html`<p><a class="button primary" href="/sign-in/oidc?back=${encodeURIComponent(back)}">Continue with ${provider.name}</a></p>`;
  const withToken = form({
    action: '/sign-in',
    csrf: frame.csrf,
    label: 'Token',
    content: html`${hidden}${field({ name: 'token', label: 'Token', type: 'password', hint: 'One that skc login or an administrator gave you. On the first start the server prints one.', isRequired: true, autocomplete: 'off', error })}${submit('Sign in', { kind: provider === undefined ? 'primary' : 'plain' })}`,
  });
  const main = html`<div class="stack-large"><div class="page-head"><h1>Sign in to ${frame.registryName}</h1><p>Private skills, publishing and reviews need an account.</p></div>${withProvider}${
    provider === undefined
      ? html`${error === undefined ? '' : notice('bad', { title: 'You are not signed in', body: error })}${card('With a token', withToken)}`
      : html`<details class="card"${error === undefined ? '' : html` open`}><summary>Sign in with a token</summary>${withToken}</details>`
  }<p class="muted small">No account? Ask an administrator for an invitation.</p></div>`;
  return shell(frame, { title: 'Sign in', main, width: 'narrow' });
}
