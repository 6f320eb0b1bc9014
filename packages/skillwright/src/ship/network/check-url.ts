// Checks a URL before anything is sent: its spelling, then every address its host resolves to.

import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { type HostEntry, readHostEntry } from '../../skill/config/index.ts';
import { metadataNames, whyClosed, whyNever } from './address-guard.ts';
import type { FetcherSettings, FetchOptions } from './fetcher.ts';
import { describeFailure, refused, unreachable } from './network-error.ts';

/** An address that passed the check. */
interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** The command that allows a host, next to those that are allowed already. */
const allowHelp = ({ host }: URL, { allowPrivate = [] }: FetcherSettings) => {
  const others = typeof allowPrivate === 'boolean' ? [] : allowPrivate;
  return `if this is intended: skc config network.allow_private '${[...others, host].join(',')}' --scope user`;
};
const NEVER = 'no setting allows this address';

/** The parsed URL. E206 when the scheme is not http or https, or the URL contains credentials. */
export function checkUrl(text: string | URL): URL {
  if (!URL.canParse(String(text))) throw refused(text, 'not a URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused(url, `only http and https are supported, not ${url.protocol.slice(0, -1)}`);
  if (url.username !== '' || url.password !== '')
    throw refused(url, 'the URL contains a user name or a password');
  url.hash = '';
  return url;
}

/**
 * The addresses of the URL's host. E206 when any of them is special and the user has neither allowed nor named it, E200 when
 * the name cannot be resolved.
 */
export async function resolveHost(
  url: URL,
  settings: FetcherSettings,
  { named }: Pick<FetchOptions, 'named'> = {},
): Promise<readonly CheckedAddress[]> {
  const { host, name } = hostOf(url);
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const allows = (address: string) => {
    const target = { host: name, port, address };
    return (
      isAllowed(target, settings.allowPrivate ?? false) ||
      (named === url.origin && isAllowed(target, [url.host]))
    );
  };
  const isLocal = name === 'localhost' || name.endsWith('.localhost');
  if (isLocal && !allows('127.0.0.1'))
    throw refused(url, `${name} is this machine`, allowHelp(url, settings));
  const addresses = await addressesOf(url, settings);
  for (const address of addresses) {
    const why = whyClosed(address);
    if (why === undefined) continue;
    const told = address === host ? `${address} is ${why}` : `${host} is ${address}: ${why}`;
    if (whyNever(address) !== undefined) throw refused(url, told, NEVER);
    if (!allows(address)) throw refused(url, told, allowHelp(url, settings));
  }
  return addresses
    .map((address) => settings.dial?.(address) ?? address)
    .map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));
}

/**
 * The addresses of a host that another program will contact; none when its name cannot be resolved. E206 for addresses
 * that are always refused: link-local ones and metadata services.
 */
export async function refuseNever(url: URL, settings: FetcherSettings): Promise<readonly string[]> {
  const { host } = hostOf(url);
  const found = addressesOf(url, settings).catch((error: unknown) => {
    // The program that connects reports it.
    if (error instanceof SkillwrightError && error.code === 'E200') return [];
    throw error;
  });
  const addresses = await found;
  for (const address of addresses) {
    const why = whyNever(address);
    if (why !== undefined) throw refused(url, `${host} is ${address}: ${why}`, NEVER);
  }
  return addresses;
}

/** The host as written, and normalised for comparison. */
function hostOf({ hostname }: URL): { host: string; name: string } {
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, name: host.replace(/\.$/, '').toLowerCase() };
}

async function addressesOf(url: URL, settings: FetcherSettings): Promise<readonly string[]> {
  const { host, name } = hostOf(url);
  if (metadataNames.has(name)) throw refused(url, `${name} is a metadata service`, NEVER);
  const addresses = isIP(host) === 0 ? await namesOf(url, host, settings) : [host];
  if (addresses.length === 0) throw unreachable(url, 'unknown host name');
  return addresses;
}

async function namesOf(url: URL, host: string, settings: FetcherSettings): Promise<readonly string[]> {
  try {
    if (settings.resolve !== undefined) return await settings.resolve(host);
    return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
  } catch (error) {
    throw unreachable(url, describeFailure(error), error);
  }
}

/** True for a URL whose host is spelled as this machine. */
export function isThisMachine({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

/** Target of a request. */
interface RequestTarget {
  /** The name or address in the URL, without brackets, in lower case. */
  readonly host: string;
  readonly port: number;
  /** One of the addresses it resolves to. */
  readonly address: string;
}

/** Networks that `true` allows: loopback, and the usual private networks of homes and offices. */
const everyPrivate = [
  'localhost',
  '127.0.0.0/8',
  '::1',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
];

/** Whether `network.allow_private` allows a target. Entries that cannot be parsed allow nothing. */
export function isAllowed(target: RequestTarget, entries: readonly string[] | boolean): boolean {
  const list = entries === true ? everyPrivate : entries === false ? [] : entries;
  return list.some((entry) => {
    const rule = readHostEntry(entry);
    return rule !== undefined && opens(rule, target);
  });
}

function opens(rule: HostEntry, { host, port, address }: RequestTarget): boolean {
  const list = new BlockList();
  if (rule.kind === 'network') {
    list.addSubnet(rule.network, rule.prefix, familyOf(rule.network));
    return list.check(address, familyOf(address));
  }
  if (rule.port !== undefined && rule.port !== port) return false;
  if (isIP(rule.host) === 0) return host === rule.host;
  list.addAddress(rule.host, familyOf(rule.host));
  return list.check(address, familyOf(address));
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
