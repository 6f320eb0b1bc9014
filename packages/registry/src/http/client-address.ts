// The address a request comes from. A proxy's word counts only if the proxy is in the settings.

import { BlockList, isIPv6 } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** Whether an address is one of ours. */
export type Trust = (address: string) => boolean;

/** Trust in these addresses and networks. */
export function createTrust(proxies: readonly string[]): Trust {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
}

/** The address of the connection; undefined in tests that need no port. */
export function peerAddress(context: Context): string | undefined {
  const { incoming } = (context.env ?? {}) as Partial<HttpBindings>;
  return incoming?.socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '');
}

/** The address of the client: the last one in X-Forwarded-For that no trusted proxy has. */
export function clientAddress(context: Context, isTrusted: Trust): string {
  const peer = peerAddress(context) ?? 'unknown';
  if (peer === 'unknown' || !isTrusted(peer)) return peer;
  const hops = (context.req.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim());
  for (const hop of hops.toReversed().filter(Boolean)) if (!isTrusted(hop)) return hop;
  return peer;
}
