// Public keys of CI issuers: fetched when needed, kept for a while, fetched again when a key is new.

import { createLocalJWKSet, errors, type FlattenedJWSInput, type JWSHeaderParameters } from 'jose';
import type { Configuration } from 'openid-client';
import * as z from 'zod';
import { isSafeTransport } from '../settings/index.ts';
import type { Store } from '../store/index.ts';

/** Endpoints and keys that were fetched. */
export interface Identities {
  /** Identity providers of people, by name. */
  readonly providers: Map<string, Promise<Configuration>>;
  /** Keys of CI systems, by issuer. */
  readonly issuers: Map<string, Promise<IssuerKeys>>;
  /** When an issuer or a provider did not answer, by address or name. */
  readonly unreachable: Map<string, number>;
}

/** A registry, as far as it checks who somebody is. */
export type Identifying = Pick<Store, 'settings' | 'now'> & {
  readonly identities: Identities;
  readonly publicUrl: string;
};

const KEEP = 600_000;
/** Unknown keys make the registry ask the issuer at most this often. */
const COOLDOWN = 30_000;
const TIMEOUT = 10_000;
const MAX_BYTES = 1024 * 1024;

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.string().refine(isSafeTransport) });
const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** Keys of an issuer. */
interface IssuerKeys {
  readonly find: ReturnType<typeof createLocalJWKSet>;
  readonly fetched: number;
}

/** A key source for jose. Keys the issuer withdrew stop working when the kept ones are too old. */
export function issuerKeys(registry: Identifying, issuer: string) {
  return async (header: JWSHeaderParameters, token: FlattenedJWSInput) => {
    const keys = await load(registry, issuer, { maxAge: KEEP });
    try {
      return await keys.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return (await load(registry, issuer, { maxAge: COOLDOWN })).find(header, token);
    }
  };
}

async function load(
  registry: Identifying,
  issuer: string,
  { maxAge }: { readonly maxAge: number },
): Promise<IssuerKeys> {
  const { issuers: all, unreachable } = registry.identities;
  const known = await all.get(issuer)?.catch(() => undefined);
  const now = registry.now().getTime();
  if (known !== undefined && now - known.fetched < maxAge) return known;
  // One that did not answer is not asked by every job that comes.
  if (now - (unreachable.get(issuer) ?? -Infinity) < COOLDOWN) throw new IssuerUnreachable(issuer);
  const fresh = fetchKeys(issuer, now);
  all.set(issuer, fresh);
  try {
    const keys = await fresh;
    unreachable.delete(issuer);
    return keys;
  } catch (error) {
    all.delete(issuer);
    unreachable.set(issuer, registry.now().getTime());
    throw new IssuerUnreachable(issuer, { cause: error });
  }
}

/** The issuer did not answer with keys. */
export class IssuerUnreachable extends Error {}

async function fetchKeys(issuer: string, fetched: number): Promise<IssuerKeys> {
  const base = issuer.replace(/\/$/, '');
  const discovery = Discovery.parse(await fetchJson(`${base}/.well-known/openid-configuration`));
  if (discovery.issuer !== issuer) throw new Error(`the issuer calls itself ${discovery.issuer}`);
  return { find: createLocalJWKSet(KeySet.parse(await fetchJson(discovery.jwks_uri))), fetched };
}

async function fetchJson(address: string): Promise<unknown> {
  const response = await fetch(address, {
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
    headers: { accept: 'application/json' },
  });
  if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    size += part.byteLength;
    if (size > MAX_BYTES) throw new Error('the answer is too large');
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString('utf8'));
}
