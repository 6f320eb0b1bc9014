// Cookies of the registry's pages. On https their names bind them to this host.

import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Environment } from './environment.ts';

/** `session`: a person who is signed in. `signin`: the browser that started a sign-in. */
type CookieName = 'session' | 'signin';

const SIGN_IN_SECONDS = 600;

/** The cookie's value. */
export function readCookie(context: Context<Environment>, name: CookieName): string | undefined {
  return getCookie(context, cookieName(context, name));
}

/** Sets a cookie that scripts cannot read and other sites cannot send along with a form. */
export function writeCookie(
  context: Context<Environment>,
  name: CookieName,
  { value }: { readonly value: string },
): void {
  const maxAge = name === 'signin' ? SIGN_IN_SECONDS : context.get('registry').settings.sessionDays * 86_400;
  setCookie(context, cookieName(context, name), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure(context),
    maxAge: Math.min(maxAge, 400 * 86_400),
  });
}

export function dropCookie(context: Context<Environment>, name: CookieName): void {
  deleteCookie(context, cookieName(context, name), { path: '/', secure: isSecure(context) });
}

function cookieName(context: Context<Environment>, name: CookieName): string {
  return `${isSecure(context) ? '__Host-' : ''}skillwright-${name}`;
}

function isSecure(context: Context<Environment>): boolean {
  return context.get('registry').publicUrl.startsWith('https:');
}
