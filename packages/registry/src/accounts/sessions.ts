// Sessions of people in browsers. A sign-in always makes a new one.

import type { SessionInfo } from 'skillwright/registry-protocol';
import type { Account, Caller } from '../access/index.ts';
import { Failure, hashSecret, newSecret } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { queryMessages } from '../store/index.ts';
import { type Act, change, type Handlers } from '../work/index.ts';
import { asPerson, idleSince, storeSecret } from './stored-secrets.ts';
import { demandTokenManager } from './tokens.ts';

/** A session to start. */
interface NewSession {
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
export function startSession(
  registry: Registry,
  { account, by, agent = '', tokenId, previous }: NewSession,
): Promise<string> {
  const now = registry.now();
  const secret = newSecret();
  return change({ registry, caller: asPerson(account) }, async ({ tx, note }) => {
    await tx.query(
      `delete from secrets where kind = 'session' and (hash = $1 or expires_at <= $2 or used_at <= $3)`,
      [hashSecret(previous ?? ''), now, idleSince(registry)],
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
    note('session.start', { details: { id, by } });
    return secret;
  });
}

export const sessionOperations = {
  /** Sessions of the caller's account, newest first. */
  async listSessions({ registry, caller }) {
    const sessions = await queryMessages<SessionInfo>(
      registry.database,
      `select id, details->>'agent' as agent, id = $4 as current, created_at as created, used_at as used, expires_at as expires
       from secrets where account_id = $1 and kind = 'session' and expires_at > $2 and used_at > $3
       order by created_at desc, id`,
      [demandSessionManager(caller).id, registry.now(), idleSince(registry), caller.sessionId ?? ''],
    );
    return { sessions };
  },
  endSession: (call) => endSession(call, call.path.id),
} satisfies Partial<Handlers>;

/** Ends a session of the caller's account. */
export function endSession({ registry, caller }: Act, id: string): Promise<void> {
  const account = caller.sessionId === id && caller.account ? caller.account : demandSessionManager(caller);
  return change({ registry, caller }, async ({ tx, note }) => {
    const ended = await tx.query(
      `delete from secrets where id = $1 and account_id = $2 and kind = 'session' returning id`,
      [id, account.id],
    );
    if (ended.length === 0) throw new Failure('not_found', 'you have no such session');
    note('session.end', { details: { id } });
  });
}

function demandSessionManager(caller: Caller): Account {
  const account = demandTokenManager(caller);
  if (caller.limitedTo !== undefined)
    throw new Failure('forbidden', 'your token is limited to a namespace: it cannot manage sessions');
  return account;
}
