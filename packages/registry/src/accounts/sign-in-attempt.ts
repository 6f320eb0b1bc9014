// A sign-in at an identity provider: started by a browser, finished once by the same browser.

import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { Failure, hashSecret, newSecret } from '../base/index.ts';
import { discoverProvider, findProvider } from '../identity/index.ts';
import type { Registry } from '../registry.ts';
import { findInvitation } from './invitations.ts';
import { forgetExpired, storeSecret } from './stored-secrets.ts';

const LIFETIME = 600_000;

/** A started sign-in, as stored. */
export interface SignInAttempt {
  provider: string;
  nonce: string;
  verifier: string;
  returnTo: string;
  invitationId: string | null;
}

/** Starts a sign-in: the address to send the browser to, and a secret for its cookie. */
export async function startAttempt(
  registry: Registry,
  {
    provider: name,
    returnTo,
    invitation,
  }: {
    readonly provider: string | undefined;
    readonly returnTo: string;
    /** Code of an invitation that the sign-in accepts. */
    readonly invitation?: string | undefined;
  },
): Promise<{ readonly url: URL; readonly browser: string }> {
  const { database } = registry;
  const provider = findProvider(registry, name);
  const invited =
    invitation === undefined ? undefined : await findInvitation(database, { registry, code: invitation });
  const configuration = await discoverProvider(registry, provider);
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
  const browser = newSecret();
  const now = registry.now();
  await forgetExpired(database, 'attempt', now);
  await storeSecret(database, {
    kind: 'attempt',
    hash: hashSecret(state),
    parent: invited?.id ?? null,
    details: { browser: browserHash(browser), provider: provider.name, nonce, verifier, returnTo },
    now,
    expiresAt: new Date(now.getTime() + LIFETIME),
  });
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: callbackOf(registry),
    response_type: 'code',
    scope: provider.scope,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return { url, browser };
}

/** Takes a started sign-in out of the table: it works once, in time, and in the browser that started it. */
export async function takeAttempt(
  { database, now }: Registry,
  { state, browser }: { readonly state: string | undefined; readonly browser: string | undefined },
): Promise<SignInAttempt> {
  const [row] = await database.query<{ details: Omit<SignInAttempt, 'invitationId'>; parent: string | null }>(
    `delete from secrets where hash = $1 and kind = 'attempt' and details->>'browser' = $2 and expires_at > $3
     returning details, parent`,
    [hashSecret(state ?? ''), browserHash(browser ?? ''), now()],
  );
  if (row === undefined) throw new Failure('forbidden', 'this sign-in is over: start again');
  return { ...row.details, invitationId: row.parent };
}

const browserHash = (secret: string) => Buffer.from(hashSecret(secret)).toString('hex');

/** Where providers send the browser back to. */
export function callbackOf({ publicUrl }: Registry): string {
  return `${publicUrl}/signin/callback`;
}
