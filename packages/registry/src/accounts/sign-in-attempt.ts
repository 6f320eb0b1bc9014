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

const LIFETIME = 600_000;

/** A started sign-in, as stored. */
export interface SignInAttempt {
  provider: string;
  nonce: string;
  verifier: string;
  return_to: string;
  invitation_id: string | null;
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
  await database.query('delete from sign_in_attempts where expires_at <= $1', [now]);
  await database.query(
    `insert into sign_in_attempts
       (state_hash, browser_hash, provider, nonce, verifier, return_to, invitation_id, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      hashSecret(state),
      hashSecret(browser),
      provider.name,
      nonce,
      verifier,
      returnTo,
      invited?.id ?? null,
      new Date(now.getTime() + LIFETIME),
    ],
  );
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
  const [row] = await database.query<SignInAttempt>(
    `delete from sign_in_attempts where state_hash = $1 and browser_hash = $2 and expires_at > $3
     returning provider, nonce, verifier, return_to, invitation_id`,
    [hashSecret(state ?? ''), hashSecret(browser ?? ''), now()],
  );
  if (row === undefined) throw new Failure('forbidden', 'this sign-in is over: start again');
  return row;
}

/** Where providers send the browser back to. */
export function callbackOf({ publicUrl }: Registry): string {
  return `${publicUrl}/signin/callback`;
}
