// Shared by every response: headers that keep third-party content from running, safe redirects, the theme.

import type { Theme } from './page.ts';

/** Policy of our own pages: nothing inline, nothing from elsewhere, no frames. */
const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Headers of every response. No other site learns the address of a page; `no-referrer` would also hide the origin of our own
 * forms from us.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': PAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};

/** A path on this site to return to; anything else becomes `/`. */
export function safeReturn(path: unknown): string {
  if (typeof path !== 'string' || path.length > 2000 || !/^\/[\x21-\x7e]*$/.test(path)) return '/';
  // Browsers read `\\` as `/` and resolve dots; what is left must not be the name of a host.
  const read = path.replaceAll('\\', '/');
  return read.startsWith('//') || new URL(read, 'http://site').pathname.startsWith('//') ? '/' : path;
}

/** The colours that a cookie or a form names; `auto` for anything else. */
export function readTheme(chosen: string | null | undefined): Theme {
  return chosen === 'light' || chosen === 'dark' ? chosen : 'auto';
}
