// The entries of `network.allow_private`: a host, a host with a port, an address, or a network.

import { isIP } from 'node:net';

/** An entry in its parts. */
export type HostEntry =
  | { readonly kind: 'network'; readonly network: string; readonly prefix: number }
  | { readonly kind: 'host'; readonly host: string; readonly port: number | undefined };

/** Parses `host`, `host:port`, `[address]:port`, `address` or `address/prefix`; undefined for anything else. */
export function readHostEntry(entry: string): HostEntry | undefined {
  const text = entry.trim().toLowerCase();
  const [, network = '', length] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
  if (length !== undefined) {
    const family = isIP(network);
    const prefix = Number(length);
    return family === 0 || prefix > (family === 4 ? 32 : 128)
      ? undefined
      : { kind: 'network', network, prefix };
  }
  if (isIP(text) !== 0) return { kind: 'host', host: text, port: undefined };
  const [, bracketed, name, digits] =
    /^(?:\[(.+)\]|([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? name;
  if (host === undefined || (bracketed !== undefined && isIP(bracketed) !== 6)) return undefined;
  return { kind: 'host', host, port: digits === undefined ? undefined : Number(digits) };
}
