// Tokens people make for themselves. A token makes tokens with a part of its own rights, and only with scope `owner` or
// `admin`: a stolen token for publishing makes none, and revoking a token revokes what was made with it.

import type { TokenInfo } from 'skillwright/registry-protocol';
import { type Account, anonymous, type Caller, may, notFound, unauthorised } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { type Queryable, queryMessages } from '../store/index.ts';
import { change, type Handlers } from '../work/index.ts';
import { createToken, revokeTokens, works } from './stored-secrets.ts';

const DAY = 86_400_000;

const TOKENS = `select t.id, t.details->>'name' as name, t.details->>'prefix' as prefix, t.scopes, o.name as owner,
    t.created_at as created, t.expires_at as expires, t.used_at as used
  from secrets t left join owners o on o.id = t.owner_id`;

export const tokenOperations = {
  /** Tokens of the caller's account that work, newest first. */
  async listTokens({ registry: { database, now }, caller }) {
    const account = demandTokenManager(caller);
    const tokens = await queryMessages<TokenInfo>(
      database,
      `${TOKENS} where t.account_id = $1 and t.kind = 'token' and ${works('t', '$2')}
         and ($3::bigint is null or t.owner_id = $3) order by t.created_at desc, t.id`,
      [account.id, now(), caller.limitedTo ?? null],
    );
    return { tokens };
  },

  /** Makes a token. It expires no later than the one it is made with. */
  async createToken({ registry, caller, body: { name, owner, days, ...body } }) {
    const account = demandTokenManager(caller);
    const scopes = [...new Set(body.scopes)];
    const missing = scopes.filter(
      (scope) => !caller.scopes.has(scope) || (scope === 'admin' && !account.isAdmin),
    );
    if (missing.length > 0)
      throw new Failure('forbidden', `you cannot give rights you do not have: ${missing.join(', ')}`);
    return change({ registry, caller }, async ({ tx, note }) => {
      const ownerId = owner === null ? undefined : await findOwnerId(tx, caller, owner);
      if (caller.limitedTo !== undefined && caller.limitedTo !== ownerId)
        throw new Failure(
          'forbidden',
          'your token is limited to one namespace: name it as owner of the new one',
        );
      const wanted = days === null ? null : new Date(registry.now().getTime() + days * DAY);
      const { id, token } = await createToken(tx, {
        accountId: account.id,
        name,
        scopes,
        ownerId: ownerId ?? null,
        parent: caller.tokenId ?? null,
        expiresAt: await limitExpiry(tx, { by: caller.tokenId, expiresAt: wanted }),
      });
      note('token.create', { ownerId, details: { id, name, scopes } });
      const [made] = await queryMessages<TokenInfo>(tx, `${TOKENS} where t.id = $1`, [id]);
      return { ...made!, token };
    });
  },

  /** Revokes a token of the caller's account. Every token can revoke itself. */
  revokeToken({ registry, caller, path: { id } }) {
    const account = caller.tokenId === id && caller.account ? caller.account : demandTokenManager(caller);
    return change({ registry, caller }, async ({ tx, note }) => {
      const [row] = await tx.query<{ name: string; owner_id: number | null }>(
        `select details->>'name' as name, owner_id from secrets
         where id = $1 and account_id = $2 and kind = 'token' and ended_at is null
           and ($3::bigint is null or owner_id = $3)`,
        [id, account.id, caller.limitedTo ?? null],
      );
      if (row === undefined) throw new Failure('not_found', 'you have no such token');
      const revoked = await revokeTokens(tx, [id], registry.now());
      note('token.revoke', { ownerId: row.owner_id ?? undefined, details: { id, name: row.name, revoked } });
    });
  },
} satisfies Partial<Handlers>;

/** The caller's account, when the caller may manage tokens and sessions. */
export function demandTokenManager(caller: Caller): Account {
  if (caller.account === undefined) throw unauthorised();
  const isAllowed = caller.scopes.has('owner') || caller.scopes.has('admin');
  if (!isAllowed || caller.provenance !== undefined || caller.onlySkill !== undefined)
    throw new Failure(
      'forbidden',
      'managing tokens needs a token with scope owner, or a person who is signed in',
    );
  return caller.account;
}

/** The earlier of a time and the expiry of the token that makes another. */
export async function limitExpiry(
  tx: Queryable,
  { by, expiresAt }: { readonly by: string | null | undefined; readonly expiresAt: Date | null },
): Promise<Date | null> {
  const [row] = await tx.query<{ expires: Date | null }>(
    'select least($2::timestamptz, (select expires_at from secrets where id = $1)) as expires',
    [by ?? null, expiresAt],
  );
  return row!.expires;
}

async function findOwnerId(tx: Queryable, caller: Caller, name: string): Promise<number> {
  const [row] = await tx.query<{ id: number }>('select id from owners where name = $1', [name]);
  if (row === undefined || !may({ ...caller, scopes: new Set(['read']) }, 'read', { ownerId: row.id }))
    throw notFound();
  return row.id;
}

/** On the first start: makes the account `admin` and returns its token, which is shown once. Later: undefined. */
export async function createFirstAdmin({ database }: Registry): Promise<string | undefined> {
  return database.transaction(async (tx) => {
    const [made] = await tx.query<{ id: number }>(
      `insert into accounts (name, is_admin) select 'admin', true where not exists (select from accounts)
       on conflict do nothing returning id`,
    );
    return made && (await createToken(tx, { accountId: made.id, name: 'first start' })).token;
  });
}

/** A new token of the account `admin`, for people who lost theirs and can reach the database. Makes the account if needed. */
export function createAdminToken(registry: Registry): Promise<string> {
  return change({ registry, caller: { ...anonymous, via: 'system' } }, async ({ tx, note }) => {
    const [account] = await tx.query<{ id: number }>(
      `insert into accounts (name, is_admin) values ('admin', true)
       on conflict (name) do update set is_admin = true, suspended = null returning id`,
    );
    note('token.create', { details: { account: 'admin' } });
    return (await createToken(tx, { accountId: account!.id, name: 'command line' })).token;
  });
}
