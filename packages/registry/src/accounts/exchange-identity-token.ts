// Trusted publishing: a CI job's identity token becomes a token that publishes one skill for fifteen minutes.

import { parseAddress, spellAddress } from 'skillwright/registry-protocol';
import { type Account, record, stillMay } from '../access/index.ts';
import {
  type CiIdentity,
  lowerCase,
  OauthError,
  type VerifiedJob,
  verifyIdentityToken,
} from '../identity/index.ts';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';
import { asPerson } from './sessions.ts';
import { createToken, forgetExpired, storeSecret } from './stored-secrets.ts';

const LIFETIME_SECONDS = 900;
const KEEP = 30 * 86_400_000;

interface Candidate {
  id: string;
  owner: string;
  owner_id: number;
  skill: string;
  repository_owner_id: string | null;
  workflow: string | null;
  environment: string | null;
  account_id: number;
  account: string;
  is_admin: boolean;
}

/** Exchanges an identity token. `skill` names the skill when several publishers match. Each identity token works once. */
export async function exchangeIdentityToken(
  registry: Registry,
  { token, skill }: { readonly token: string; readonly skill: string | undefined },
) {
  const address = skill === undefined ? undefined : parseAddress(skill);
  if (skill !== undefined && address === undefined)
    throw new OauthError('invalid_target', 'resource must be @owner/name');
  const job = await verifyIdentityToken(registry, token);
  return registry.database.transaction(async (tx) => {
    if (!(await markUsed(tx, { registry, job })))
      throw new OauthError('invalid_grant', 'the identity token was used before');
    const found = (await findCandidates(tx, job)).filter(
      (candidate) =>
        (address === undefined || (candidate.owner === address.owner && candidate.skill === address.name)) &&
        matches(candidate, job.identity),
    );
    const [publisher] = found;
    if (publisher === undefined)
      throw new OauthError('invalid_grant', 'no trusted publisher matches this job');
    if (new Set(found.map((each) => `${each.owner}/${each.skill}`)).size > 1)
      throw new OauthError('invalid_target', 'several skills trust this job: name one as resource');
    return issueToken(tx, { registry, publisher, job });
  });
}

/** A token that led to nothing can be tried again: a failure undoes the mark. */
async function markUsed(
  tx: Queryable,
  { registry, job }: { readonly registry: Registry; readonly job: VerifiedJob },
): Promise<boolean> {
  await forgetExpired(tx, 'identity', registry.now());
  const { mark: hash, keepUntil: expiresAt } = job;
  return (await storeSecret(tx, { kind: 'identity', hash, expiresAt })) !== undefined;
}

/** Publishers for the repository whose accounts may still publish. */
function findCandidates(tx: Queryable, { issuer, identity }: VerifiedJob): Promise<Candidate[]> {
  return tx.query<Candidate>(
    `select p.id, o.name as owner, p.owner_id, p.skill, p.repository_owner_id, p.workflow, p.environment,
       a.id as account_id, a.name as account, a.is_admin
     from publishers p join owners o on o.id = p.owner_id join accounts a on a.id = p.created_by
     where p.issuer = $1 and lower(p.repository collate "C") = lower($2 collate "C") and ${stillMay('publish', { account: 'p.created_by', owner: 'p.owner_id' })}
     order by p.created_at, p.id for update of p`,
    [issuer, identity.repository],
  );
}

function matches(candidate: Candidate, identity: CiIdentity): boolean {
  return (
    (candidate.repository_owner_id ?? identity.ownerId) === identity.ownerId &&
    (candidate.workflow === null || candidate.workflow === identity.workflow) &&
    (candidate.environment === null ||
      lowerCase(candidate.environment) === lowerCase(identity.environment ?? ''))
  );
}

/** The account of the person who started a run, if they sign in at the same issuer. */
async function findStarter(
  tx: Queryable,
  { issuer, subject }: { readonly issuer: string; readonly subject: string | null },
): Promise<number | null> {
  const [row] = await tx.query<{ id: number }>(
    'select account_id as id from identities where issuer = $1 and subject = $2',
    [issuer, subject],
  );
  return row?.id ?? null;
}

async function issueToken(
  tx: Queryable,
  {
    registry,
    publisher,
    job: { identity, issuer },
  }: { readonly registry: Registry; readonly publisher: Candidate; readonly job: VerifiedJob },
) {
  const now = registry.now();
  // Tokens of jobs end after minutes; the audit log keeps what they did.
  await tx.query(
    `delete from secrets where kind = 'token' and details->>'provenance' is not null and expires_at <= $1`,
    [new Date(now.getTime() - KEEP)],
  );
  await tx.query(
    'update publishers set used_at = $2, repository_owner_id = coalesce(repository_owner_id, $3) where id = $1',
    [publisher.id, now, identity.ownerId],
  );
  const { id, token } = await createToken(tx, {
    accountId: publisher.account_id,
    name: `CI of ${identity.repository}`,
    scopes: ['publish'],
    ownerId: publisher.owner_id,
    skill: publisher.skill,
    provenance: identity.provenance,
    startedBy: await findStarter(tx, { issuer, subject: identity.startedBy }),
    expiresAt: new Date(now.getTime() + LIFETIME_SECONDS * 1000),
  });
  const account: Account = {
    id: publisher.account_id,
    name: publisher.account,
    isAdmin: publisher.is_admin,
  };
  await record(
    tx,
    { ...asPerson(account), via: 'token', tokenId: id },
    {
      action: 'publisher.use',
      ownerId: publisher.owner_id,
      details: { id, publisher: publisher.id, ...identity.provenance },
    },
  );
  return {
    access_token: token,
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    token_type: 'Bearer',
    expires_in: LIFETIME_SECONDS,
    scope: 'publish',
    skill: spellAddress({ owner: publisher.owner, name: publisher.skill }),
  };
}
