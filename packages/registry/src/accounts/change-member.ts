// Members of a namespace and their roles.

import { type Owner, Role } from 'skillwright/registry-protocol';
import type { Caller } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';
import { demandManager, describeOwner, lockOwner } from './find-owner.ts';
import { noteOwnerChange } from './note-owner-change.ts';

/** Gives an account exactly these roles, at once; none removes it. Members may leave by themselves; the last admin stays. */
export async function changeMember(
  registry: Registry,
  caller: Caller,
  {
    owner: name,
    account,
    roles: wanted,
  }: { readonly owner: string; readonly account: string; readonly roles: readonly Role[] },
): Promise<Owner> {
  const roles = Role.options.filter((role) => wanted.includes(role));
  return registry.database.transaction(async (tx) => {
    const owner = await lockOwner(tx, caller, name);
    const leaves =
      roles.length === 0 &&
      caller.account?.name === account &&
      caller.scopes.has('owner') &&
      (caller.limitedTo ?? owner.id) === owner.id &&
      caller.roles.has(owner.id);
    if (!leaves) demandManager(caller, owner);
    const accountId = await findAccountId(tx, account, { isLeaving: roles.length === 0 });
    await setRoles(tx, { ownerId: owner.id, accountId, roles });
    await demandAdmin(tx, owner.id);
    await noteOwnerChange(tx, {
      registry,
      caller,
      owner,
      action: 'owner.member',
      change: 'member',
      account,
      roles,
    });
    return describeOwner(tx, leaves ? { ...caller, roles: new Map() } : caller, owner);
  });
}

/** Replaces the roles of an account in a namespace. */
async function setRoles(
  tx: Queryable,
  {
    ownerId,
    accountId,
    roles,
  }: { readonly ownerId: number; readonly accountId: number; readonly roles: readonly Role[] },
): Promise<void> {
  await tx.query('delete from roles where owner_id = $1 and account_id = $2', [ownerId, accountId]);
  await tx.query(
    'insert into roles (owner_id, account_id, role) select $1, $2, role from unnest($3::text[]) as role',
    [ownerId, accountId, roles],
  );
}

/** Accounts that are suspended get no new roles. */
async function findAccountId(
  tx: Queryable,
  name: string,
  { isLeaving }: { readonly isLeaving: boolean },
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    'select id from accounts where name = $1 and (suspended is null or $2)',
    [name, isLeaving],
  );
  if (row === undefined) throw new Failure('not_found', 'no such account');
  return row.id;
}

async function demandAdmin(tx: Queryable, ownerId: number): Promise<void> {
  const admins = await tx.query(
    `select from roles r join accounts a on a.id = r.account_id
     where r.owner_id = $1 and r.role = 'admin' and a.suspended is null`,
    [ownerId],
  );
  if (admins.length === 0)
    throw new Failure('conflict', 'a namespace needs an admin: make another account admin first');
}
