// A skill named together with its registry: `registry+https://host/path/#@owner/name@range`.

import { invalidOption } from '../../base/diagnostics/index.ts';
import {
  type OperationId,
  type PathPart,
  registryOperations,
  type SkillAddress,
  spellAddress,
} from '../protocol/index.ts';
import { checkUrl, isThisMachine } from './check-url.ts';
import type { Fetcher } from './fetcher.ts';
import { refused } from './network-error.ts';

/** Normalised address of a registry: it ends with `/`. */
export function registryAddress(url: string): string {
  const address = new URL(url);
  address.hash = '';
  if (!address.pathname.endsWith('/')) address.pathname += '/';
  return address.href;
}

/** The source of a registry skill, as in locks and messages. */
export function spellRegistrySource({
  url,
  range,
  ...address
}: SkillAddress & {
  readonly url: string;
  readonly range?: string | undefined;
}): string {
  return `registry+${registryAddress(url)}#${spellAddress(address)}${range === undefined ? '' : `@${range}`}`;
}

/** Options of a client. */
export interface RegistryClientOptions {
  /** Base URL of the registry; the protocol starts at `api/v1` below it. */
  readonly url: string;
  readonly fetcher: Fetcher;
  /** Sent only to this registry. */
  readonly token?: string | undefined;
  /** Help to show when the registry refuses the token, or wants one. */
  readonly ifRefused?: string | undefined;
}

/** Variable parts of a path, by name. */
export type PathValues = Readonly<Partial<Record<PathPart, string>>>;

/** Addresses below one registry. */
export type RegistryPaths = ReturnType<typeof openPaths>;

/** The addresses of a registry. E206 when a token would be sent without https. */
export function openPaths({ url, token }: RegistryClientOptions) {
  const base = checkUrl(url.endsWith('/') ? url : `${url}/`);
  if (token !== undefined && base.protocol === 'http:' && !isThisMachine(base))
    throw refused(base, 'a token is sent only over https');
  return {
    base,
    /** The address of an operation, with the variable parts of its path. E100 for a part that names nothing. */
    at: (id: OperationId, path: PathValues = {}) =>
      new URL(spellPath(registryOperations[id].path, path), base),
    /** The token, for an address of this registry. */
    headersFor: (target: URL): Record<string, string> =>
      token === undefined || target.origin !== base.origin ? {} : { authorization: `Bearer ${token}` },
  };
}

/** Tells the user how to get a valid token. */
export const loginHelp = (base: URL) => `run 'skc login ${base.href}'`;

/** The path below the base. `@` and `:` stay readable: `skills/@acme/pdf`, `archives/sha256:…`. */
function spellPath(pattern: string, path: PathValues): string {
  return pattern.slice(1).replace(/\{(\w+)\}/g, (_, name: PathPart) => {
    const part = path[name] ?? '';
    // A URL would take these for steps upward.
    if (/^\.{0,2}$/.test(part)) throw invalidOption(`'${part}' is not a name`);
    return encodeURIComponent(part).replace(/%40/g, '@').replace(/%3A/g, ':');
  });
}
