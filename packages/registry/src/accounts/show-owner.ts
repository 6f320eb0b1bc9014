// A namespace, as its members and everyone else see it.

import type { Owner, Role } from 'skillwright/registry-protocol';
import { type Caller, visibleTo } from '../access/index.ts';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';
import { findOwner, isMember, type OwnerRow } from './find-owner.ts';

/** Shows a namespace; the same failure for one that does not exist and for one without anything public. */
export async function showOwner({ database }: Registry, caller: Caller, name: string): Promise<Owner> {
  return describeOwner(database, caller, await findOwner(database, caller, name));
}

/** The namespace as a message; members are listed for members. */
export async function describeOwner(tx: Queryable, caller: Caller, owner: OwnerRow): Promise<Owner> {
  const parameters: unknown[] = [owner.id];
  const [counted] = await tx.query<{ count: number }>(
    `select count(*) as count from skills s where s.owner_id = $1 and ${visibleTo(caller, parameters)}`,
    parameters,
  );
  const members = await tx.query<{ account: string; roles: Role[] }>(
    `select a.name as account, array_agg(r.role order by r.role) as roles
     from roles r join accounts a on a.id = r.account_id where r.owner_id = $1 group by a.name order by a.name`,
    [owner.id],
  );
  return {
    name: owner.name,
    title: owner.title,
    url: owner.url,
    created: owner.created_at.toISOString(),
    skills: counted!.count,
    ...(isMember(caller, owner.id) ? { members } : {}),
  };
}
