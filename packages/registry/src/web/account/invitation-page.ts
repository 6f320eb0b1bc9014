// An invitation, and the page after accepting it.

import { codeBlock, form, html, notice, submit } from 'skillwright/pages';
import { type Frame, shell } from '../frame.ts';
import { providerLinks, type SignInView } from './sign-in-page.ts';

/** An open invitation. */
interface InvitationView {
  readonly account: string;
  readonly code: string;
  /** Where there are providers, it is accepted by signing in at one. */
  readonly providers: SignInView['providers'];
}

export function invitationPage({ account, code, providers }: InvitationView, frame: Frame): string {
  const accept =
    providers.length > 0
      ? providerLinks(providers)
      : form({ action: `/invite/${encodeURIComponent(code)}`, csrf: frame.csrf, content: submit('Accept') });
  const main = html`<div class="stack-large"><div class="page-head"><h1>You are invited to ${frame.registryName}</h1><p>Your account will be <strong><bdi>${account}</bdi></strong>.</p></div>${accept}</div>`;
  return shell(frame, { title: 'Invitation', main, width: 'narrow' });
}

/** The token to sign in with, shown once. */
interface WelcomeView {
  readonly account: string;
  readonly token: string;
}

export function welcomePage({ account, token }: WelcomeView, frame: Frame): string {
  const main = html`<div class="stack-large"><div class="page-head"><h1>Welcome, <bdi>${account}</bdi></h1></div>${notice(
    'good',
    {
      title: 'Keep this token',
      body: html`<p>You sign in with it. It is not shown again.</p>${codeBlock(token, { label: 'your token' })}`,
    },
  )}<p><a class="button primary" href="/">Continue</a></p></div>`;
  return shell(frame, { title: 'Welcome', main, width: 'narrow' });
}
