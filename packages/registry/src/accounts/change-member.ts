// Members of a namespace and their roles. A role is offered, and counts when the account accepts it: nobody becomes a member
// without their own will, and nobody learns which accounts exist.

import { type Owner, Role } from 'skillwright/registry-protocol';
import type { Caller } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';
import { demandManager, describeOwner, lockOwner, type OwnerRow } from './find-owner.ts';
import { changeRoles } from './note-owner-change.ts';
import { insertOffer, withdrawOffers } from './transfers.ts';

/**
 * Gives an account exactly these roles; none removes it. Roles it has no more end at once, roles it lacks are offered to it.
 * Members may leave by themselves; the last admin stays.
 */
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
    const isSelf = caller.account?.name === account;
    const leaves =
      roles.length === 0 &&
      isSelf &&
      caller.scopes.has('owner') &&
      (caller.limitedTo ?? owner.id) === owner.id &&
      caller.roles.has(owner.id);
    if (!leaves) demandManager(caller, owner);
    const had = await rolesOf(tx, owner, account);
    // A manager accepts the roles that they give themselves.
    const kept = isSelf ? roles : roles.filter((role) => isIncluded(role, had));
    const offered = roles.filter((role) => !kept.includes(role));
    const withdrawn = await withdrawOffers(tx, { ownerId: owner.id, account });
    if (kept.join() !== had.join()) {
      await changeRoles(tx, { registry, caller, owner, account, roles: kept });
      await demandAdmin(tx, owner.id);
    } else if (roles.length === 0 && !withdrawn) throw new Failure('not_found', 'no such member');
    if (offered.length > 0)
      await insertOffer(tx, { registry, caller, ownerId: owner.id, to: account, roles });
    return describeOwner(tx, { registry, caller: leaves ? { ...caller, roles: new Map() } : caller }, owner);
  });
}

/** Whether somebody with these roles has the rights of another: giving it takes nothing but rights away. */
function isIncluded(role: Role, had: readonly Role[]): boolean {
  return had.includes(role) || had.includes('admin') || (role === 'reader' && had.length > 0);
}

async function rolesOf(tx: Queryable, { id }: OwnerRow, account: string): Promise<readonly Role[]> {
  const rows = await tx.query<{ role: Role }>(
    'select r.role from roles r join accounts a on a.id = r.account_id where r.owner_id = $1 and a.name = $2',
    [id, account],
  );
  return Role.options.filter((role) => rows.some((row) => row.role === role));
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
