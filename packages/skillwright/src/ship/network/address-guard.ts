// Tells public addresses from special ones. Special ones are refused unless the user allows them.

import { BlockList, isIP } from 'node:net';
import { once } from '../../base/diagnostics/index.ts';

/** Ranges of the special-purpose registries for IPv4 that do not lead to a public host. */
const closed4: readonly (readonly [network: string, prefix: number, what: string])[] = [
  ['100.100.100.200', 32, 'a metadata service'],
  ['168.63.129.16', 32, 'a metadata service'],
  ['192.0.0.192', 32, 'a metadata service'],
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'shared by a carrier'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'reserved for documentation'],
  ['192.31.196.0', 24, 'reserved'],
  ['192.52.193.0', 24, 'reserved'],
  ['192.88.99.0', 24, 'reserved'],
  ['192.168.0.0', 16, 'private'],
  ['192.175.48.0', 24, 'reserved'],
  ['198.18.0.0', 15, 'reserved for benchmarks'],
  ['198.51.100.0', 24, 'reserved for documentation'],
  ['203.0.113.0', 24, 'reserved for documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
];

/** Those of 2000::/3; everything outside it is refused anyway. */
const closed6: readonly (readonly [network: string, prefix: number, what: string])[] = [
  ['2001::', 23, 'reserved or a tunnel'],
  ['2001:db8::', 32, 'reserved for documentation'],
  ['2002::', 16, 'a tunnel (6to4)'],
  ['2620:4f:8000::', 48, 'reserved'],
  ['3fff::', 20, 'reserved for documentation'],
];

const named6: readonly (readonly [network: string, prefix: number, what: string])[] = [
  ['fd00:ec2::254', 128, 'a metadata service'],
  ['fd20:ce::254', 128, 'a metadata service'],
  ['::', 128, 'unspecified'],
  ['::1', 128, 'loopback'],
  ['::ffff:0:0', 96, 'IPv4 in disguise'],
  ['64:ff9b::', 96, 'IPv4 in disguise (NAT64)'],
  ['64:ff9b:1::', 48, 'IPv4 in disguise (NAT64)'],
  ['fc00::', 7, 'private'],
  ['fe80::', 10, 'link-local'],
  ['fec0::', 10, 'private'],
  ['ff00::', 8, 'multicast'],
];

interface Range {
  readonly list: BlockList;
  readonly what: string;
}

const rangesOf = (rows: typeof closed4, family: 'ipv4' | 'ipv6'): Range[] =>
  rows.map(([network, prefix, what]) => {
    const list = new BlockList();
    list.addSubnet(network, prefix, family);
    return { list, what };
  });

const ranges4 = once(() => rangesOf(closed4, 'ipv4'));
const ranges6 = once(() => rangesOf([...named6, ...closed6], 'ipv6'));
const global6 = once(() => rangesOf([['2000::', 3, 'public']], 'ipv6'));

/** The reason to refuse an address, such as `loopback`; undefined for a public one. Text that is not an address is refused. */
export function whyClosed(address: string): string | undefined {
  // A zone (`fe80::1%eth0`) makes an address local by itself.
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 4) return ranges4().find(({ list }) => list.check(address, 'ipv4'))?.what;
  if (family !== 6) return 'not an address';
  const known = ranges6().find(({ list }) => list.check(address, 'ipv6'))?.what;
  return known ?? (global6()[0]!.list.check(address, 'ipv6') ? undefined : 'reserved');
}

/** Kinds a user may allow. The others reach the cloud's own services, or are another address in disguise. */
const openable: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'shared by a carrier',
  'reserved',
  'reserved for benchmarks',
  'reserved for documentation',
]);

/** The reason to refuse an address whatever the user allows, such as `link-local`; undefined when there is none. */
export function whyNever(address: string): string | undefined {
  const why = whyClosed(address);
  return why === undefined || openable.has(why) ? undefined : why;
}

/** Host names of the services that hand out a cloud machine's credentials. */
export const metadataNames: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
]);
