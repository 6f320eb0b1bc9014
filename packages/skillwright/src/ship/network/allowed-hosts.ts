// Private hosts, addresses and networks that the user allows.

import { BlockList, isIP } from 'node:net';
import { type HostEntry, readHostEntry } from '../../skill/config/index.ts';

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
