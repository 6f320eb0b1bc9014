// Sign-in at an identity provider: started by a browser, finished once by the same browser, whose person becomes an account.

import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import * as z from 'zod';
import { type Account, anonymous } from '../access/index.ts';
import { Failure, hashSecret, newSecret } from '../base/index.ts';
import { discoverProvider, findProvider } from '../identity/index.ts';
import type { Registry } from '../registry.ts';
import type { IdentityProvider } from '../settings/index.ts';
import { databaseCode } from '../store/index.ts';
import { type Change, change } from '../work/index.ts';
import { chooseAccountName } from './accounts.ts';
import { acceptInvitation, createAccount, findInvitation } from './invitations.ts';
import { asPerson, forgetExpired, storeSecret } from './stored-secrets.ts';

const LIFETIME = 600_000;

/** A started sign-in, as stored. */
interface SignInAttempt {
  readonly provider: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
}

/** Starts a sign-in: the address to send the browser to, and a secret for its cookie. */
export async function startAttempt(
  registry: Registry,
  {
    returnTo,
    invitation,
    ...asked
  }: {
    readonly provider: string | undefined;
    readonly returnTo: string;
    /** Code of an invitation that the sign-in accepts. */
    readonly invitation?: string | undefined;
  },
): Promise<{ readonly url: URL; readonly browser: string }> {
  const { database } = registry;
  const provider = findProvider(registry, asked.provider);
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

const browserHash = (secret: string) => Buffer.from(hashSecret(secret)).toString('hex');

/** Where providers send the browser back to. */
const callbackOf = ({ publicUrl }: Registry) => `${publicUrl}/signin/callback`;

/** A person as a provider describes them. */
const Claims = z.looseObject({
  iss: z.string(),
  sub: z.string().min(1),
  email: z.string().optional(),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional(),
  preferred_username: z.string().optional(),
  name: z.string().optional(),
});
type Claims = z.output<typeof Claims>;

/** Finishes a sign-in. Code, state and nonce are used up even when it fails. */
export async function finishSignIn(
  registry: Registry,
  { search, browser }: { readonly search: string; readonly browser: string | undefined },
): Promise<{ readonly account: Account; readonly returnTo: string; readonly provider: string }> {
  const url = new URL(callbackOf(registry) + search);
  // It works once, in time, and in the browser that started it.
  const [attempt] = await registry.database.query<{ details: SignInAttempt; parent: string | null }>(
    `delete from secrets where hash = $1 and kind = 'attempt' and details->>'browser' = $2 and expires_at > $3
     returning details, parent`,
    [hashSecret(url.searchParams.get('state') ?? ''), browserHash(browser ?? ''), registry.now()],
  );
  if (attempt === undefined) throw new Failure('forbidden', 'this sign-in is over: start again');
  const { details, parent: invitationId } = attempt;
  const provider = findProvider(registry, details.provider);
  const claims = await readClaims(await discoverProvider(registry, provider), {
    url,
    attempt: details,
    provider,
  });
  demandAdmission(provider, claims);
  const find = () =>
    change({ registry, caller: anonymous }, (made) => findAccount(made, { provider, claims, invitationId }));
  // Two first sign-ins at once: the second finds what the first made.
  const account = await find().catch((error: unknown) => {
    if (databaseCode(error) === '23505') return find();
    throw error;
  });
  return { account, returnTo: details.returnTo, provider: provider.name };
}

async function readClaims(
  configuration: Configuration,
  {
    url,
    attempt,
    provider,
  }: { readonly url: URL; readonly attempt: SignInAttempt; readonly provider: IdentityProvider },
): Promise<Claims> {
  try {
    const tokens = await authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: url.searchParams.get('state') ?? '',
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    });
    const identity = tokens.claims()!;
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const more = hasUserInfo ? await fetchUserInfo(configuration, tokens.access_token, identity.sub) : {};
    // The signed token wins over what was fetched.
    return Claims.parse({ ...more, ...identity });
  } catch {
    throw new Failure('forbidden', `${provider.title} did not confirm the sign-in: start again`);
  }
}

/** Fails unless the person belongs to the domains and groups that may sign in. */
function demandAdmission(provider: IdentityProvider, claims: Claims): void {
  const isVerified = claims.email_verified === true || provider.trustsEmail;
  const domain = isVerified ? claims.email?.toLowerCase().split('@').at(-1) : undefined;
  const groups = claims[provider.groupsClaim];
  const inDomain =
    provider.domains.length === 0 || (domain !== undefined && provider.domains.includes(domain));
  const inGroup =
    provider.groups.length === 0 ||
    (Array.isArray(groups) && provider.groups.some((group) => groups.includes(group)));
  if (!inDomain || !inGroup) throw new Failure('forbidden', 'your account may not sign in to this registry');
}

/** Accounts belong to issuer and subject; an e-mail address alone never opens one. */
async function findAccount(
  made: Change,
  {
    provider,
    claims: { iss, sub, email, name, preferred_username },
    invitationId,
  }: {
    readonly provider: IdentityProvider;
    readonly claims: Claims;
    readonly invitationId: string | null;
  },
): Promise<Account> {
  const { registry, tx, note } = made;
  const [known] = await tx.query<Account & { suspended: string | null }>(
    `select a.id, a.name, a.is_admin as "isAdmin", a.suspended
     from identities i join accounts a on a.id = i.account_id where i.issuer = $1 and i.subject = $2`,
    [iss, sub],
  );
  if (known !== undefined) {
    if (known.suspended !== null) throw new Failure('forbidden', 'your account is suspended');
    if (invitationId === null) return known;
    throw new Failure(
      'conflict',
      `you have the account ${known.name} already: sign in without the invitation`,
    );
  }
  if (invitationId === null && provider.accounts === 'invited')
    throw new Failure('forbidden', 'you need an invitation: ask an administrator of this registry');
  const wish = preferred_username?.split('@')[0] || email?.split('@')[0] || name || '';
  const account =
    invitationId === null
      ? await createAccount(made, {
          name: await chooseAccountName(tx, wish),
          displayName: (name ?? '').slice(0, 100),
          email: email ?? null,
        })
      : await acceptInvitation(made, invitationId);
  await tx.query('insert into identities (issuer, subject, account_id, created_at) values ($1, $2, $3, $4)', [
    iss,
    sub,
    account.id,
    registry.now(),
  ]);
  note('account.link', { details: { provider: provider.name } }, asPerson(account));
  return account;
}
