// Asks whether to sign out.

import { form, html, submit } from 'skillwright/pages';
import { type Frame, shell } from '../frame.ts';

export function signOutPage({ account }: { readonly account: string }, frame: Frame): string {
  const main = html`<div class="stack"><h1>Sign out</h1><p>You are signed in as <bdi>${account}</bdi>.</p>${form({ action: '/signout', csrf: frame.csrf, content: submit('Sign out') })}</div>`;
  return shell(frame, { title: 'Sign out', main, width: 'narrow' });
}
