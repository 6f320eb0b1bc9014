// Accounts and skills for tests, made directly in the database.

import { Scope } from 'skillwright/registry-protocol';
import { createToken, type NewToken } from '../src/accounts/stored-secrets.ts';
import type { Registry } from '../src/registry.ts';

/** An account with a token. */
export async function addAccount(
  { database }: Registry,
  name: string,
  token: Partial<NewToken> = {},
): Promise<string> {
  const [known] = await database.query<{ id: number }>('select id from accounts where name = $1', [name]);
  const [row] = known
    ? [known]
    : await database.query<{ id: number }>('insert into accounts (name) values ($1) returning id', [name]);
  const made = await createToken(database, {
    accountId: row!.id,
    name: `token of ${name}`,
    scopes: Scope.options.filter((scope) => scope !== 'admin'),
    ...token,
  });
  return made.token;
}

/** A skill without versions. */
export async function addSkill(
  { database }: Registry,
  { owner, name, visibility }: { readonly owner: string; readonly name: string; readonly visibility: string },
): Promise<void> {
  await database.query(
    `insert into skills (owner_id, name, skeleton, visibility) select id, $2, $2, $3 from owners where name = $1`,
    [owner, name, visibility],
  );
}

/** Actions in the audit log, oldest first. */
export async function auditOf({ database }: Registry): Promise<string[]> {
  const rows = await database.query<{ actor: string; action: string }>(
    'select actor, action from audit order by id',
  );
  return rows.map(({ actor, action }) => `${actor} ${action}`);
}
