// The first administrator.

import { anonymous } from '../access/index.ts';
import type { Registry } from '../registry.ts';
import { change } from '../work/index.ts';
import { createToken } from './stored-secrets.ts';

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
