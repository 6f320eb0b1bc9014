// Accounts, as administrators of the registry manage them.

import type { AccountChange, AccountInfo, AccountPage } from 'skillwright/registry-protocol';
import type * as z from 'zod';
import { type Caller, demandRegistryAdmin, record } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';
import { endSessions, revokeTokens, works } from './stored-secrets.ts';

const PAGE = 100;

interface AccountRow {
  id: number;
  name: string;
  display_name: string;
  email: string | null;
  is_admin: boolean;
  suspended: string | null;
  created_at: Date;
  tokens: number;
}

const ACCOUNTS = `select a.id, a.name, a.display_name, a.email, a.is_admin, a.suspended, a.created_at,
    (select count(*) from secrets t where t.account_id = a.id and t.kind = 'token' and ${works('t', '$1')}) as tokens
  from accounts a`;

/** Accounts by name, a hundred a page. */
export async function listAccounts(
  { database, now }: Registry,
  caller: Caller,
  { after = '' }: { readonly after?: string | undefined } = {},
): Promise<z.output<typeof AccountPage>> {
  demandRegistryAdmin(caller);
  const rows = await database.query<AccountRow>(
    `${ACCOUNTS} where a.name > $2 order by a.name limit ${PAGE + 1}`,
    [now(), after],
  );
  const shown = rows.slice(0, PAGE);
  return {
    accounts: shown.map(describeAccount),
    next: rows.length > PAGE ? (shown.at(-1)?.name ?? null) : null,
  };
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
    const admins = await tx.query('select from accounts where is_admin and suspended is null');
    if (admins.length === 0) throw new Failure('conflict', 'the registry needs at least one administrator');
    const [row] = await tx.query<AccountRow>(`${ACCOUNTS} where a.id = $2`, [registry.now(), id]);
    return describeAccount(row!);
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

function describeAccount(row: AccountRow): AccountInfo {
  return {
    name: row.name,
    displayName: row.display_name,
    email: row.email,
    isAdmin: row.is_admin,
    suspended: row.suspended,
    created: row.created_at.toISOString(),
    tokens: row.tokens,
  };
}
