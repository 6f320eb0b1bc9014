// Tokens people make for themselves. A token makes tokens with a part of its own rights, and only with scope `owner` or
// `admin`: a stolen token for publishing makes none, and revoking a token revokes what was made with it.

import type { CreatedToken, TokenInfo, TokenRequest } from 'skillwright/registry-protocol';
import { type Account, type Caller, may, notFound, record, unauthorised } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { type Queryable, queryMessages } from '../store/index.ts';
import { createToken, revokeTokens, works } from './stored-secrets.ts';

const DAY = 86_400_000;

const TOKENS = `select t.id, t.details->>'name' as name, t.details->>'prefix' as prefix, t.scopes, o.name as owner,
    t.created_at as created, t.expires_at as expires, t.used_at as used
  from secrets t left join owners o on o.id = t.owner_id`;

/** Tokens of the caller's account that work, newest first. */
export async function listTokens({ database, now }: Registry, caller: Caller): Promise<TokenInfo[]> {
  const account = demandTokenManager(caller);
  return queryMessages(
    database,
    `${TOKENS} where t.account_id = $1 and t.kind = 'token' and ${works('t', '$2')}
       and ($3::bigint is null or t.owner_id = $3) order by t.created_at desc, t.id`,
    [account.id, now(), caller.limitedTo ?? null],
  );
}

/** Makes a token. It expires no later than the one it is made with. */
export async function requestToken(
  registry: Registry,
  caller: Caller,
  request: TokenRequest,
): Promise<CreatedToken> {
  const account = demandTokenManager(caller);
  const scopes = [...new Set(request.scopes)];
  const missing = scopes.filter(
    (scope) => !caller.scopes.has(scope) || (scope === 'admin' && !account.isAdmin),
  );
  if (missing.length > 0)
    throw new Failure('forbidden', `you cannot give rights you do not have: ${missing.join(', ')}`);
  return registry.database.transaction(async (tx) => {
    const ownerId = request.owner === null ? undefined : await findOwnerId(tx, caller, request.owner);
    if (caller.limitedTo !== undefined && caller.limitedTo !== ownerId)
      throw new Failure(
        'forbidden',
        'your token is limited to one namespace: name it as owner of the new one',
      );
    const { id, token } = await createToken(tx, {
      accountId: account.id,
      name: request.name,
      scopes,
      ownerId: ownerId ?? null,
      parent: caller.tokenId ?? null,
      expiresAt: await limitExpiry(tx, caller, {
        expiresAt: request.days === null ? null : new Date(registry.now().getTime() + request.days * DAY),
      }),
    });
    await record(tx, caller, {
      action: 'token.create',
      ownerId,
      details: { id, name: request.name, scopes },
    });
    const [made] = await queryMessages<TokenInfo>(tx, `${TOKENS} where t.id = $1`, [id]);
    return { ...made!, token };
  });
}

/** Revokes a token of the caller's account. Every token can revoke itself. */
export async function revokeToken(registry: Registry, caller: Caller, id: string): Promise<void> {
  const account = caller.tokenId === id && caller.account ? caller.account : demandTokenManager(caller);
  await registry.database.transaction(async (tx) => {
    const [row] = await tx.query<{ name: string; owner_id: number | null }>(
      `select details->>'name' as name, owner_id from secrets
       where id = $1 and account_id = $2 and kind = 'token' and ended_at is null
         and ($3::bigint is null or owner_id = $3)`,
      [id, account.id, caller.limitedTo ?? null],
    );
    if (row === undefined) throw new Failure('not_found', 'you have no such token');
    const revoked = await revokeTokens(tx, [id], registry.now());
    await record(tx, caller, {
      action: 'token.revoke',
      ownerId: row.owner_id ?? undefined,
      details: { id, name: row.name, revoked },
    });
  });
}

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

/** The earlier of a time and the expiry of the caller's own token. */
export async function limitExpiry(
  tx: Queryable,
  caller: Pick<Caller, 'tokenId'>,
  { expiresAt }: { readonly expiresAt: Date | null },
): Promise<Date | null> {
  if (caller.tokenId === undefined) return expiresAt;
  const [row] = await tx.query<{ expires_at: Date | null }>('select expires_at from secrets where id = $1', [
    caller.tokenId,
  ]);
  const limit = row?.expires_at ?? null;
  if (limit === null || expiresAt === null) return limit ?? expiresAt;
  return limit < expiresAt ? limit : expiresAt;
}

async function findOwnerId(tx: Queryable, caller: Caller, name: string): Promise<number> {
  const [row] = await tx.query<{ id: number }>('select id from owners where name = $1', [name]);
  if (row === undefined || !may({ ...caller, scopes: new Set(['read']) }, 'read', { ownerId: row.id }))
    throw notFound();
  return row.id;
}
