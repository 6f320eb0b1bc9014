// Finds namespaces without telling strangers which exist.

import { anonymous, type Caller, demand, may, notFound, visibleTo } from '../access/index.ts';
import type { Queryable } from '../store/index.ts';

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
export function isMember(caller: Caller, ownerId: number): boolean {
  return may(caller, 'read', { ownerId }) || may(caller, 'manage', { ownerId });
}
