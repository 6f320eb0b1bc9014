// Accounts with a role, for tests of rights.

import { createToken } from '../src/accounts/stored-secrets.ts';
import type { Registry } from '../src/registry.ts';

/** The headers of a new account that has one role in a namespace. */
export async function createReader(
  { database }: Registry,
  { account, ownerId, role = 'reader' }: { account: string; ownerId: number; role?: string },
): Promise<{ authorization: string }> {
  return database.transaction(async (tx) => {
    const [row] = await tx.query<{ id: number }>('insert into accounts (name) values ($1) returning id', [
      account,
    ]);
    await tx.query('insert into roles (owner_id, account_id, role) values ($1, $2, $3)', [
      ownerId,
      row!.id,
      role,
    ]);
    const { token } = await createToken(tx, { accountId: row!.id, name: 'test' });
    return { authorization: `Bearer ${token}` };
  });
}
