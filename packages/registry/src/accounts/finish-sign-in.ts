// The answer of an identity provider becomes an account.

import { authorizationCodeGrant, type Configuration, fetchUserInfo } from 'openid-client';
import * as z from 'zod';
import { type Account, record } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { discoverProvider, findProvider } from '../identity/index.ts';
import type { Registry } from '../registry.ts';
import type { IdentityProvider } from '../settings/index.ts';
import { databaseCode, type Queryable } from '../store/index.ts';
import { chooseAccountName } from './account-name.ts';
import { acceptInvitation, createAccount } from './invitations.ts';
import { asPerson } from './sessions.ts';
import { callbackOf, type SignInAttempt, takeAttempt } from './sign-in-attempt.ts';

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
  const attempt = await takeAttempt(registry, { state: url.searchParams.get('state') ?? undefined, browser });
  const provider = findProvider(registry, attempt.provider);
  const configuration = await discoverProvider(registry, provider);
  const claims = await readClaims(configuration, { url, attempt, provider });
  demandAdmission(provider, claims);
  const find = () =>
    registry.database.transaction((tx) =>
      findAccount(tx, { registry, provider, claims, invitationId: attempt.invitationId }),
    );
  // Two first sign-ins at once: the second finds what the first made.
  const account = await find().catch((error: unknown) => {
    if (databaseCode(error) === '23505') return find();
    throw error;
  });
  return { account, returnTo: attempt.returnTo, provider: provider.name };
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
  tx: Queryable,
  {
    registry,
    provider,
    claims,
    invitationId,
  }: {
    readonly registry: Registry;
    readonly provider: IdentityProvider;
    readonly claims: Claims;
    readonly invitationId: string | null;
  },
): Promise<Account> {
  const [known] = await tx.query<Account & { suspended: string | null }>(
    `select a.id, a.name, a.is_admin as "isAdmin", a.suspended
     from identities i join accounts a on a.id = i.account_id where i.issuer = $1 and i.subject = $2`,
    [claims.iss, claims.sub],
  );
  if (known !== undefined) {
    if (known.suspended !== null) throw new Failure('forbidden', 'your account is suspended');
    if (invitationId !== null)
      throw new Failure(
        'conflict',
        `you have the account ${known.name} already: sign in without the invitation`,
      );
    return { id: known.id, name: known.name, isAdmin: known.isAdmin };
  }
  if (invitationId === null && provider.accounts === 'invited')
    throw new Failure('forbidden', 'you need an invitation: ask an administrator of this registry');
  const account =
    invitationId === null
      ? await createAccount(tx, {
          name: await chooseAccountName(
            tx,
            claims.preferred_username?.split('@')[0] || claims.email?.split('@')[0] || claims.name || '',
          ),
          displayName: (claims.name ?? '').slice(0, 100),
          email: claims.email ?? null,
        })
      : await acceptInvitation(tx, { registry, id: invitationId });
  await tx.query('insert into identities (issuer, subject, account_id, created_at) values ($1, $2, $3, $4)', [
    claims.iss,
    claims.sub,
    account.id,
    registry.now(),
  ]);
  await record(tx, asPerson(account), { action: 'account.link', details: { provider: provider.name } });
  return account;
}
