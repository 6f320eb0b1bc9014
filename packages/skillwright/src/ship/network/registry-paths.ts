// Addresses below a registry, and the headers for them.

import { REGISTRY_API } from '../protocol/index.ts';
import { checkUrl, isThisMachine } from './check-url.ts';
import type { Fetcher } from './fetcher.ts';
import { refused } from './network-error.ts';

/** Options of a client. */
export interface RegistryClientOptions {
  /** Base URL of the registry; the protocol starts at `api/v1` below it. */
  readonly url: string;
  readonly fetcher: Fetcher;
  /** Sent only to this registry. */
  readonly token?: string | undefined;
}

/** Addresses below one registry. */
export interface RegistryPaths {
  readonly base: URL;
  /** The address of these parts below the protocol's path. */
  at(...parts: string[]): URL;
  /** The token, for an address of this registry. */
  headersFor(target: URL): Record<string, string>;
}

/** The addresses of a registry. E206 when a token would be sent without https. */
export function openPaths({ url, token }: RegistryClientOptions): RegistryPaths {
  const base = checkUrl(url.endsWith('/') ? url : `${url}/`);
  if (token !== undefined && base.protocol === 'http:' && !isThisMachine(base))
    throw refused(base, 'a token is sent only over https');
  return {
    base,
    at: (...parts) => new URL([REGISTRY_API, ...parts.map(encodePart)].join('/'), base),
    headersFor: (target) =>
      token === undefined || target.origin !== base.origin ? {} : { authorization: `Bearer ${token}` },
  };
}

/** `@` and `:` stay readable: `skills/@acme/pdf`, `archives/sha256:…`. */
const encodePart = (part: string) => encodeURIComponent(part).replace(/%40/g, '@').replace(/%3A/g, ':');
