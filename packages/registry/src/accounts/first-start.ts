// The first administrator.

import type { Registry } from '../registry.ts';
import { createToken } from './tokens.ts';

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
