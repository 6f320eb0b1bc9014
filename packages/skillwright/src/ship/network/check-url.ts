// What may be asked at all, before anything is sent: the spelling of a URL, then every address its host stands for.

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { whyClosed } from './address-guard.ts';
import type { FetcherSettings } from './fetcher.ts';
import { describeFailure, refused, unreachable } from './network-error.ts';

/** An address that was judged fit. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

const ALLOW = 'set network.allow_private to true in your own configuration if this is intended';

/** The URL, parsed; E206 for another scheme than http or https and for one that carries credentials. */
export function checkUrl(text: string | URL): URL {
  if (!URL.canParse(String(text))) throw refused(text, 'this is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused(url, `only http and https are asked, not ${url.protocol.slice(0, -1)}`);
  if (url.username !== '' || url.password !== '')
    throw refused(url, 'a URL with a user name or a password is not asked');
  url.hash = '';
  return url;
}

/** The addresses of the URL's host. E206 when any of them is closed, E200 when the name leads nowhere. */
export async function resolveHost(url: URL, settings: FetcherSettings): Promise<readonly CheckedAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const name = host.replace(/\.$/, '').toLowerCase();
  if (!settings.allowPrivate && (name === 'localhost' || name.endsWith('.localhost')))
    throw refused(url, `${name} is this machine`, ALLOW);
  const addresses = isIP(host) === 0 ? await namesOf(url, host, settings) : [host];
  if (addresses.length === 0) throw unreachable(url, 'the name is not known');
  if (!settings.allowPrivate)
    for (const address of addresses) {
      const why = whyClosed(address);
      if (why !== undefined)
        throw refused(
          url,
          address === host ? `${address} is ${why}` : `${host} is ${address}: ${why}`,
          ALLOW,
        );
    }
  return addresses
    .map((address) => settings.dial?.(address) ?? address)
    .map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));
}

async function namesOf(url: URL, host: string, settings: FetcherSettings): Promise<readonly string[]> {
  try {
    if (settings.resolve !== undefined) return await settings.resolve(host);
    return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
  } catch (error) {
    throw unreachable(url, describeFailure(error), error);
  }
}

/** True for a URL whose host is this machine by its spelling. */
export function isThisMachine({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}
