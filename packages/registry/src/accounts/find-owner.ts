// Finds namespaces without telling strangers which exist.

import type { Owner, Role } from 'skillwright/registry-protocol';
import { anonymous, type Caller, demand, may, notFound, stillMay, visibleTo } from '../access/index.ts';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';

/** Condition: the offer `t` can be accepted at the time `$2`. Its sender still manages the namespace. */
export const STANDS = `t.state = 'pending' and t.expires_at > $2
  and ${stillMay('manage', { account: 't.from_account', owner: 't.owner_id' })}`;

/** A namespace. */
export interface OwnerRow {
  id: number;
  name: string;
  title: string;
  url: string | null;
  created_at: Date;
  /** Whether it has a public skill, so that everyone may know it. */
  is_public: boolean;
}

/** The namespace, or the one answer for those that do not exist and those the caller may not see. */
export async function findOwner(tx: Queryable, caller: Caller, name: string): Promise<OwnerRow> {
  const [row] = await tx.query<OwnerRow>(
    `select o.id, o.name, o.title, o.url, o.created_at,
       exists (select from skills s where s.owner_id = o.id and ${visibleTo(anonymous, [])}) as is_public
     from owners o where o.name = $1`,
    [name],
  );
  if (row === undefined || !(row.is_public || isMember(caller, row.id))) throw notFound();
  return row;
}

/** The namespace, if the caller may manage it: 404 for one the caller may not see, 401 without an account, else 403. */
export async function findManaged(tx: Queryable, caller: Caller, name: string): Promise<OwnerRow> {
  const owner = await findOwner(tx, caller, name);
  demandManager(caller, owner);
  return owner;
}

/** Fails unless the caller may manage a namespace that the caller sees. */
export function demandManager(caller: Caller, { id, is_public }: OwnerRow): void {
  demand(caller, 'manage', { ownerId: id, visibility: is_public ? 'public' : 'private' });
}

/** The namespace, locked against other changes of its members. */
export async function lockOwner(tx: Queryable, caller: Caller, name: string): Promise<OwnerRow> {
  const owner = await findOwner(tx, caller, name);
  await tx.query('select from owners where id = $1 for update', [owner.id]);
  return owner;
}

/** Whether the caller may see the members: reading, or managing with a token that cannot read. */
function isMember(caller: Caller, ownerId: number): boolean {
  return may(caller, 'read', { ownerId }) || may(caller, 'manage', { ownerId });
}

/** Shows a namespace; the same failure for one that does not exist and for one without anything public. */
export async function showOwner(registry: Registry, caller: Caller, name: string): Promise<Owner> {
  const { database } = registry;
  return describeOwner(database, { registry, caller }, await findOwner(database, caller, name));
}

/** The namespace as a message; members are listed for members. */
export async function describeOwner(
  tx: Queryable,
  { registry, caller }: { readonly registry: Pick<Registry, 'now'>; readonly caller: Caller },
  owner: OwnerRow,
): Promise<Owner> {
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
  const offered = may(caller, 'manage', { ownerId: owner.id })
    ? await tx.query<{ account: string; roles: Role[] }>(
        `select t.to_name as account, t.roles from transfers t
         where t.owner_id = $1 and t.roles is not null and ${STANDS} order by t.to_name`,
        [owner.id, registry.now()],
      )
    : [];
  return {
    name: owner.name,
    title: owner.title,
    url: owner.url,
    created: owner.created_at.toISOString(),
    skills: counted!.count,
    ...(isMember(caller, owner.id) ? { members } : {}),
    ...(offered.length === 0 ? {} : { offered }),
  };
}
