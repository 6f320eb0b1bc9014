// Addresses that can be told to be private without asking anybody.

import { isIP } from 'node:net';
import { whyClosed } from 'skillwright/ship';

/** The reason to refuse the host of an address at once, such as `loopback`. Names are resolved and checked at each request. */
export function whyPrivate(address: string): string | undefined {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) > 0) return whyClosed(host);
  return /(?:^|\.)localhost\.?$/i.test(host) ? 'loopback' : undefined;
}
