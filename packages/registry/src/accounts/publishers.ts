// Trusted publishers of a namespace: CI workflows that may publish one skill. A job's identity token becomes a token that does so
// for fifteen minutes.

import { randomUUID } from 'node:crypto';
import { type Publisher, parseAddress, spellAddress } from 'skillwright/registry-protocol';
import { type Account, anonymous, stillMay, unauthorised } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { lowerCase, OauthError, type VerifiedJob, verifyIdentityToken } from '../identity/index.ts';
import type { Registry } from '../registry.ts';
import { type Queryable, queryMessages } from '../store/index.ts';
import { type Change, change, type Handlers } from '../work/index.ts';
import { findManaged } from './owners.ts';
import { asPerson, createToken, forgetExpired, storeSecret } from './stored-secrets.ts';

const PUBLISHERS = `select p.id, '@' || o.name || '/' || p.skill as skill, p.issuer, p.repository,
    p.repository_owner_id as "repositoryOwnerId", p.workflow, p.environment,
    not exists (select from skills s where s.owner_id = p.owner_id and s.name = p.skill) as pending,
    a.name as account, p.created_at as created, p.used_at as used
  from publishers p join owners o on o.id = p.owner_id join accounts a on a.id = p.created_by`;

export const publisherOperations = {
  async listPublishers({ registry: { database }, caller, path }) {
    const owner = await findManaged(database, caller, path.owner);
    const sql = `${PUBLISHERS} where p.owner_id = $1 order by p.skill, p.created_at, p.id`;
    return { publishers: await queryMessages<Publisher>(database, sql, [owner.id]) };
  },

  /**
   * Adds a publisher, bound to the immutable id of the repository's owner: a name can change hands. It acts for the caller's
   * account, and stops when that loses its role.
   */
  addPublisher: ({ registry, caller, path, body }) =>
    change({ registry, caller }, async ({ tx, note }) => {
      const owner = await findManaged(tx, caller, path.owner);
      if (caller.account === undefined) throw unauthorised();
      const address = parseAddress(body.skill);
      if (address?.owner !== owner.name)
        throw new Failure('bad_request', `the skill must be in the namespace @${owner.name}`);
      const trusted = registry.settings.ciIssuers.map(({ issuer }) => issuer);
      if (!trusted.includes(body.issuer))
        throw new Failure('bad_request', 'this registry does not trust the issuer', {
          details: trusted.map((issuer) => `trusted: ${issuer}`),
        });
      const { issuer, repository, repositoryOwnerId, workflow, environment } = body;
      const id = randomUUID();
      await tx.query(
        `insert into publishers (id, owner_id, created_by, created_at, skill, issuer, repository, repository_owner_id,
           workflow, environment)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          ...[id, owner.id, caller.account.id, registry.now()],
          ...[address.name, issuer, repository, repositoryOwnerId, workflow, environment],
        ],
      );
      note('publisher.add', { ownerId: owner.id, details: { id, ...body } });
      return (await queryMessages<Publisher>(tx, `${PUBLISHERS} where p.id = $1`, [id]))[0]!;
    }),

  /** Removes a publisher, and revokes the tokens its jobs still have. */
  removePublisher: ({ registry, caller, path }) =>
    change({ registry, caller }, async ({ tx, note }) => {
      const { id } = path;
      const owner = await findManaged(tx, caller, path.owner);
      const [row] = await tx.query<{ skill: string; repository: string }>(
        'delete from publishers where id = $1 and owner_id = $2 returning skill, repository',
        [id, owner.id],
      );
      if (row === undefined) throw new Failure('not_found', 'no such publisher');
      await tx.query(
        `update secrets set ended_at = $3 where kind = 'token' and owner_id = $1 and details->>'skill' = $2
           and details->>'provenance' is not null and ended_at is null`,
        [owner.id, row.skill, registry.now()],
      );
      note('publisher.remove', { ownerId: owner.id, details: { id, ...row } });
    }),
} satisfies Partial<Handlers>;

const LIFETIME_SECONDS = 900;
const KEEP = 30 * 86_400_000;

interface Candidate extends Account {
  readonly publisher: string;
  readonly owner: string;
  readonly ownerId: number;
  readonly skill: string;
  readonly repositoryOwnerId: string | null;
  readonly workflow: string | null;
  readonly environment: string | null;
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
  return change({ registry, caller: anonymous }, async (made) => {
    const { tx } = made;
    // A token that led to nothing can be tried again: a failure undoes the mark.
    await forgetExpired(tx, 'identity', registry.now());
    const marked = await storeSecret(tx, { kind: 'identity', hash: job.mark, expiresAt: job.keepUntil });
    if (marked === undefined) throw new OauthError('invalid_grant', 'the identity token was used before');
    const found = (await findCandidates(tx, job)).filter(
      (candidate) =>
        (address === undefined || (candidate.owner === address.owner && candidate.skill === address.name)) &&
        matches(candidate, job),
    );
    const [publisher] = found;
    if (publisher === undefined)
      throw new OauthError('invalid_grant', 'no trusted publisher matches this job');
    if (new Set(found.map((each) => `${each.owner}/${each.skill}`)).size > 1)
      throw new OauthError('invalid_target', 'several skills trust this job: name one as resource');
    return issueToken(made, publisher, job);
  });
}

/** Publishers for the repository whose accounts may still publish. */
function findCandidates(tx: Queryable, { issuer, identity }: VerifiedJob): Promise<Candidate[]> {
  return tx.query<Candidate>(
    `select p.id as publisher, o.name as owner, p.owner_id as "ownerId", p.skill,
       p.repository_owner_id as "repositoryOwnerId", p.workflow, p.environment, a.id, a.name, a.is_admin as "isAdmin"
     from publishers p join owners o on o.id = p.owner_id join accounts a on a.id = p.created_by
     where p.issuer = $1 and lower(p.repository collate "C") = lower($2 collate "C")
       and ${stillMay('publish', { account: 'p.created_by', owner: 'p.owner_id' })}
     order by p.created_at, p.id for update of p`,
    [issuer, identity.repository],
  );
}

function matches(wanted: Candidate, { identity }: VerifiedJob): boolean {
  return (
    (wanted.repositoryOwnerId ?? identity.ownerId) === identity.ownerId &&
    (wanted.workflow === null || wanted.workflow === identity.workflow) &&
    (wanted.environment === null || lowerCase(wanted.environment) === lowerCase(identity.environment ?? ''))
  );
}

async function issueToken(
  { registry, tx, note }: Change,
  { publisher, owner, ownerId, skill, ...account }: Candidate,
  { identity: { ownerId: repositoryOwner, provenance, ...identity }, issuer }: VerifiedJob,
) {
  const now = registry.now();
  // Tokens of jobs end after minutes; the audit log keeps what they did.
  await tx.query(
    `delete from secrets where kind = 'token' and details->>'provenance' is not null and expires_at <= $1`,
    [new Date(now.getTime() - KEEP)],
  );
  await tx.query(
    'update publishers set used_at = $2, repository_owner_id = coalesce(repository_owner_id, $3) where id = $1',
    [publisher, now, repositoryOwner],
  );
  // The person who started the run, if they sign in at the same issuer.
  const [starter] = await tx.query<{ id: number }>(
    'select account_id as id from identities where issuer = $1 and subject = $2',
    [issuer, identity.startedBy],
  );
  const { id, token } = await createToken(tx, {
    accountId: account.id,
    name: `CI of ${identity.repository}`,
    scopes: ['publish'],
    ownerId,
    skill,
    provenance,
    startedBy: starter?.id ?? null,
    expiresAt: new Date(now.getTime() + LIFETIME_SECONDS * 1000),
  });
  const by = { ...asPerson(account), via: 'token', tokenId: id } as const;
  note('publisher.use', { ownerId, details: { id, publisher, ...provenance } }, by);
  return {
    access_token: token,
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    token_type: 'Bearer',
    expires_in: LIFETIME_SECONDS,
    scope: 'publish',
    skill: spellAddress({ owner, name: skill }),
  };
}
