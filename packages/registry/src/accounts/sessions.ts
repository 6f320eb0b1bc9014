// Sessions of people in browsers. A sign-in always makes a new one.

import type { SessionInfo } from 'skillwright/registry-protocol';
import { type Account, type Caller, record } from '../access/index.ts';
import { Failure, hashSecret, newSecret } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { type Queryable, queryMessages } from '../store/index.ts';
import { demandTokenManager } from './manage-tokens.ts';
import { storeSecret } from './stored-secrets.ts';

/** A session to start. */
interface NewSession {
  readonly registry: Registry;
  readonly account: Account;
  /** How the person proved who they are: a provider's name, `token` or `invitation`. */
  readonly by: string;
  readonly agent: string | undefined;
  /** The token whose rights the session has; undefined: those of the account. */
  readonly tokenId?: string | undefined;
  /** Secret of the session the browser had before; it ends. */
  readonly previous: string | undefined;
}

/** Starts a session; the secret goes into a cookie and nowhere else. */
export async function startSession(
  tx: Queryable,
  { registry, account, by, agent = '', tokenId, previous }: NewSession,
): Promise<string> {
  const now = registry.now();
  const secret = newSecret();
  const idleSince = new Date(now.getTime() - registry.settings.sessionIdleHours * 3_600_000);
  await tx.query(
    `delete from secrets where kind = 'session' and (hash = $1 or expires_at <= $2 or used_at <= $3)`,
    [hashSecret(previous ?? ''), now, idleSince],
  );
  const id = await storeSecret(tx, {
    kind: 'session',
    hash: hashSecret(secret),
    accountId: account.id,
    parent: tokenId ?? null,
    details: { agent: agent.slice(0, 300) },
    now,
    expiresAt: new Date(now.getTime() + registry.settings.sessionDays * 86_400_000),
  });
  await record(tx, asPerson(account), { action: 'session.start', details: { id, by } });
  return secret;
}

/** An account that acts by itself while its session is not there yet. */
export function asPerson(account: Account): Caller {
  return {
    via: 'session',
    account,
    scopes: new Set(),
    limitedTo: undefined,
    roles: new Map(),
    provenance: undefined,
    tokenId: undefined,
  };
}

/** Sessions of the caller's account, newest first. */
export async function listSessions(registry: Registry, caller: Caller): Promise<SessionInfo[]> {
  const account = demandSessionManager(caller);
  const now = registry.now();
  return queryMessages(
    registry.database,
    `select id, details->>'agent' as agent, id = $4 as current, created_at as created, used_at as used, expires_at as expires
     from secrets where account_id = $1 and kind = 'session' and expires_at > $2 and used_at > $3
     order by created_at desc, id`,
    [
      account.id,
      now,
      new Date(now.getTime() - registry.settings.sessionIdleHours * 3_600_000),
      caller.sessionId ?? '',
    ],
  );
}

/** Ends a session of the caller's account. */
export async function endSession(registry: Registry, caller: Caller, id: string): Promise<void> {
  const account = caller.sessionId === id && caller.account ? caller.account : demandSessionManager(caller);
  await registry.database.transaction(async (tx) => {
    const ended = await tx.query(
      `delete from secrets where id = $1 and account_id = $2 and kind = 'session' returning id`,
      [id, account.id],
    );
    if (ended.length === 0) throw new Failure('not_found', 'you have no such session');
    await record(tx, caller, { action: 'session.end', details: { id } });
  });
}

function demandSessionManager(caller: Caller): Account {
  const account = demandTokenManager(caller);
  if (caller.limitedTo !== undefined)
    throw new Failure('forbidden', 'your token is limited to a namespace: it cannot manage sessions');
  return account;
}
