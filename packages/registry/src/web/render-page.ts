// The pages of sign-in.

import { type DeviceView, devicePage } from './account/device-page.ts';
import {
  type InvitationView,
  invitationPage,
  type WelcomeView,
  welcomePage,
} from './account/invitation-page.ts';
import { type SignInView, signInPage, signOutPage } from './account/sign-in-page.ts';
import { type MessageView, messagePage } from './error-page.ts';
import type { Frame } from './frame.ts';

/** Values of each page. */
export interface PageViews {
  signin: SignInView;
  /** An invitation to accept: at a provider, or with one button where there is none. */
  invite: InvitationView;
  /** After accepting an invitation: the token to sign in with, shown once. */
  welcome: WelcomeView;
  /** Asks for the code of a device login, or for its confirmation. */
  device: DeviceView;
  signout: { readonly account: string };
  message: MessageView;
}

const pages: { [Name in keyof PageViews]: (view: PageViews[Name], frame: Frame) => string } = {
  signin: signInPage,
  invite: invitationPage,
  welcome: welcomePage,
  device: devicePage,
  signout: signOutPage,
  message: messagePage,
};

/** A whole page. */
export function renderPage<Name extends keyof PageViews>(
  name: Name,
  { view, frame }: { readonly view: PageViews[Name]; readonly frame: Frame },
): string {
  return (pages[name] as (view: PageViews[Name], frame: Frame) => string)(view, frame);
}
