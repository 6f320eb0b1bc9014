// The first administrator.

import { anonymous, record } from '../access/index.ts';
import type { Registry } from '../registry.ts';
import { createToken } from './stored-secrets.ts';

/** On the first start: makes the account `admin` and returns its token, which is shown once. Later: undefined. */
export async function createFirstAdmin({ database }: Registry): Promise<string | undefined> {
  return database.transaction(async (tx) => {
    const [made] = await tx.query<{ id: number }>(
      `insert into accounts (name, is_admin) select 'admin', true where not exists (select from accounts)
       on conflict do nothing returning id`,
    );
    if (made === undefined) return undefined;
    return (await createToken(tx, { accountId: made.id, name: 'first start' })).token;
  });
}

/** A new token of the account `admin`, for people who lost theirs and can reach the database. Makes the account if needed. */
export async function createAdminToken({ database }: Registry): Promise<string> {
  return database.transaction(async (tx) => {
    const [account] = await tx.query<{ id: number }>(
      `insert into accounts (name, is_admin) values ('admin', true)
       on conflict (name) do update set is_admin = true, suspended = null returning id`,
    );
    const { token } = await createToken(tx, { accountId: account!.id, name: 'command line' });
    await record(
      tx,
      { ...anonymous, via: 'system' },
      { action: 'token.create', details: { account: 'admin' } },
    );
    return token;
  });
}
