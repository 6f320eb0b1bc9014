// Accounts, as administrators of the registry manage them.

import type { AccountChange, AccountInfo, AccountPage } from 'skillwright/registry-protocol';
import type * as z from 'zod';
import { type Caller, demandRegistryAdmin, record } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { type Queryable, queryMessages } from '../store/index.ts';
import { endSessions, revokeTokens, works } from './stored-secrets.ts';

const PAGE = 100;

const ACCOUNTS = `select a.name, a.display_name as "displayName", a.email, a.is_admin as "isAdmin", a.is_moderator as "isModerator", a.suspended,
    a.created_at as created,
    (select count(*) from secrets t where t.account_id = a.id and t.kind = 'token' and ${works('t', '$1')}) as tokens
  from accounts a`;

/** Accounts by name, a hundred a page. */
export async function listAccounts(
  { database, now }: Registry,
  caller: Caller,
  { after = '' }: { readonly after?: string | undefined } = {},
): Promise<z.output<typeof AccountPage>> {
  demandRegistryAdmin(caller);
  const rows = await queryMessages<AccountInfo>(
    database,
    `${ACCOUNTS} where a.name > $2 order by a.name limit ${PAGE + 1}`,
    [now(), after],
  );
  const shown = rows.slice(0, PAGE);
  return { accounts: shown, next: rows.length > PAGE ? (shown.at(-1)?.name ?? null) : null };
}

/** Suspends an account or ends that, gives or takes the registry's administration. The next request obeys. */
export async function changeAccount(
  registry: Registry,
  caller: Caller,
  { name, change }: { readonly name: string; readonly change: AccountChange },
): Promise<AccountInfo> {
  demandRegistryAdmin(caller);
  return registry.database.transaction(async (tx) => {
    const id = await lockAccount(tx, name);
    if (change.suspended !== undefined) {
      await tx.query('update accounts set suspended = $2 where id = $1', [id, change.suspended]);
      if (change.suspended !== null) await endSessions(tx, id);
      await record(tx, caller, {
        action: change.suspended === null ? 'account.restore' : 'account.suspend',
        details: { account: name, reason: change.suspended },
      });
    }
    if (change.isAdmin !== undefined) {
      await tx.query('update accounts set is_admin = $2 where id = $1', [id, change.isAdmin]);
      // Tokens made as an administrator do not become powerful again later.
      if (!change.isAdmin)
        await tx.query(
          `update secrets set scopes = array_remove(scopes, 'admin') where account_id = $1 and kind = 'token'`,
          [id],
        );
      await record(tx, caller, {
        action: change.isAdmin ? 'account.admin' : 'account.no-admin',
        details: { account: name },
      });
    }
    if (change.isModerator !== undefined) {
      await tx.query('update accounts set is_moderator = $2 where id = $1', [id, change.isModerator]);
      await record(tx, caller, {
        action: change.isModerator ? 'account.moderator' : 'account.no-moderator',
        details: { account: name },
      });
    }
    const admins = await tx.query('select from accounts where is_admin and suspended is null');
    if (admins.length === 0) throw new Failure('conflict', 'the registry needs at least one administrator');
    const sql = `${ACCOUNTS} where a.id = $2`;
    const [changed] = await queryMessages<AccountInfo>(tx, sql, [registry.now(), id]);
    return changed!;
  });
}

/** Revokes every token of an account and ends its sessions. */
export async function revokeAll(registry: Registry, caller: Caller, name: string): Promise<number> {
  demandRegistryAdmin(caller);
  return registry.database.transaction(async (tx) => {
    const id = await lockAccount(tx, name);
    const tokens = await tx.query<{ id: string }>(
      `select id from secrets where account_id = $1 and kind = 'token' and ended_at is null`,
      [id],
    );
    const revoked = await revokeTokens(
      tx,
      tokens.map((token) => token.id),
      registry.now(),
    );
    await endSessions(tx, id);
    await record(tx, caller, { action: 'account.revoke-all', details: { account: name, revoked } });
    return revoked;
  });
}

/** One change of administrators at a time, so that one always remains. */
async function lockAccount(tx: Queryable, name: string): Promise<number> {
  const locked = await tx.query<{ id: number; name: string }>(
    'select id, name from accounts where is_admin or name = $1 order by id for update',
    [name],
  );
  const found = locked.find((row) => row.name === name);
  if (found === undefined) throw new Failure('not_found', 'no such account');
  return found.id;
}
