// Namespaces, and roles in them, offered to another account, which accepts or declines before the offer expires. The same
// answer is given for an account that does not exist.

import { randomUUID } from 'node:crypto';
import type { Owner, Role, Transfer } from 'skillwright/registry-protocol';
import { type Caller, may, record, unauthorised } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';
import { demandManager, lockOwner, STANDS } from './find-owner.ts';
import { changeRoles, noteOwnerChange } from './note-owner-change.ts';

/** How long an offer stands. */
const OFFER = 7 * 86_400_000;

interface TransferRow {
  id: string;
  owner: string;
  owner_id: number;
  from: string;
  from_account: number;
  to: string;
  to_account: number | null;
  roles: Role[] | null;
  expires_at: Date;
}

const TRANSFERS = `select t.id, o.name as owner, t.owner_id, f.name as "from", t.from_account, t.to_name as "to", t.to_account, t.roles,
    t.expires_at
  from transfers t join owners o on o.id = t.owner_id join accounts f on f.id = t.from_account`;

/** Offers a namespace to an account. A new offer replaces the one before. */
export async function offerTransfer(
  registry: Registry,
  caller: Caller,
  { owner: name, to }: { readonly owner: string; readonly to: string },
): Promise<Transfer> {
  return registry.database.transaction(async (tx) => {
    const owner = await lockOwner(tx, caller, name);
    demandManager(caller, owner);
    await tx.query(
      `update transfers set state = 'replaced' where owner_id = $1 and state = 'pending' and roles is null`,
      [owner.id],
    );
    const id = await insertOffer(tx, { registry, caller, ownerId: owner.id, to, roles: null });
    const [row] = await tx.query<TransferRow>(`${TRANSFERS} where t.id = $1`, [id]);
    return describeTransfer(row!);
  });
}

/** Offers a namespace, or roles in it, and returns the id. An account that is made later cannot accept. */
export async function insertOffer(
  tx: Queryable,
  {
    registry,
    caller,
    ownerId,
    to,
    roles,
  }: {
    readonly registry: Registry;
    readonly caller: Caller;
    readonly ownerId: number;
    readonly to: string;
    readonly roles: readonly Role[] | null;
  },
): Promise<string> {
  if (caller.account === undefined) throw unauthorised();
  const id = randomUUID();
  const now = registry.now();
  await tx.query(
    `insert into transfers (id, owner_id, from_account, to_name, to_account, roles, created_at, expires_at)
     values ($1, $2, $3, $4, (select id from accounts where name = $4), $5, $6, $7)`,
    [id, ownerId, caller.account.id, to, roles, now, new Date(now.getTime() + OFFER)],
  );
  const details = { id, to, ...(roles === null ? {} : { roles }) };
  await record(tx, caller, { action: roles === null ? 'transfer.offer' : 'member.offer', ownerId, details });
  return id;
}

/** Takes back the roles that a namespace offers to an account; whether there were any. */
export async function withdrawOffers(
  tx: Queryable,
  { ownerId, account }: { readonly ownerId: number; readonly account: string },
): Promise<boolean> {
  const rows = await tx.query(
    `update transfers set state = 'replaced'
     where owner_id = $1 and to_name = $2 and state = 'pending' and roles is not null returning id`,
    [ownerId, account],
  );
  return rows.length > 0;
}

/** Offers to an account that it can accept: namespaces and roles. */
export async function listOffers({ database, now }: Registry, accountId: number): Promise<Transfer[]> {
  const rows = await database.query<TransferRow>(
    `${TRANSFERS} where t.to_account = $1 and ${STANDS} order by t.created_at, t.id`,
    [accountId, now()],
  );
  return rows.map(describeTransfer);
}

/** The open offer of a namespace, for its administrators and for the account it is made to. */
export async function findOffer(
  { database, now }: Registry,
  caller: Caller,
  ownerId: number,
): Promise<Transfer | null> {
  if (caller.account === undefined) return null;
  const [row] = await database.query<TransferRow>(
    `${TRANSFERS} where t.owner_id = $1 and t.roles is null and ${STANDS} and ($3 or t.to_account = $4)`,
    [ownerId, now(), may(caller, 'manage', { ownerId }), caller.account.id],
  );
  return row === undefined ? null : describeTransfer(row);
}

/**
 * A namespace that is offered to the caller, who does not see it otherwise: enough to answer the offer, and nothing about its
 * members and skills but their number.
 */
export async function showOffered(
  { database, now }: Registry,
  caller: Caller,
  name: string,
): Promise<{ readonly owner: Owner; readonly transfer: Transfer } | undefined> {
  if (caller.account === undefined || !mayAnswer(caller)) return undefined;
  const [row] = await database.query<TransferRow>(
    `${TRANSFERS} where o.name = $1 and ${STANDS} and t.to_account = $3 order by t.roles is not null limit 1`,
    [name, now(), caller.account.id],
  );
  if (row === undefined) return undefined;
  const [owner] = await database.query<
    Pick<Owner, 'name' | 'title' | 'url' | 'skills'> & { created_at: Date }
  >(
    `select name, title, url, created_at, (select count(*) from skills where owner_id = $1) as skills
     from owners where id = $1`,
    [row.owner_id],
  );
  const { created_at, ...rest } = owner!;
  return { owner: { ...rest, created: created_at.toISOString() }, transfer: describeTransfer(row) };
}

/** A namespace changes hands by a person, or a token with this right for all namespaces. */
function mayAnswer({ scopes, limitedTo }: Caller): boolean {
  return scopes.has('owner') && limitedTo === undefined;
}

/** Takes a namespace over: the account becomes its only admin, and other roles stay. Or takes the offered roles. */
export async function acceptTransfer(registry: Registry, caller: Caller, id: string): Promise<Transfer> {
  return registry.database.transaction(async (tx) => {
    const row = await lockTransfer(tx, { registry, caller, id });
    if (row.to_account !== caller.account?.id) throw noTransfer();
    await tx.query(`update transfers set state = 'accepted' where id = $1`, [id]);
    const owner = { id: row.owner_id, name: row.owner };
    if (row.roles !== null) {
      await changeRoles(tx, { registry, caller, owner, account: row.to, roles: row.roles });
      return describeTransfer(row);
    }
    await tx.query(`delete from roles where owner_id = $1 and role = 'admin'`, [row.owner_id]);
    await tx.query(`insert into roles (owner_id, account_id, role) values ($1, $2, 'admin')`, [
      row.owner_id,
      row.to_account,
    ]);
    await noteOwnerChange(tx, {
      registry,
      caller,
      owner,
      action: 'transfer.accept',
      change: 'transferred',
      account: row.to,
      roles: ['admin'],
    });
    return describeTransfer(row);
  });
}

/** Declines an offer, or takes one back that the caller's namespace made. */
export async function declineTransfer(registry: Registry, caller: Caller, id: string): Promise<Transfer> {
  return registry.database.transaction(async (tx) => {
    const row = await lockTransfer(tx, { registry, caller, id });
    if (row.to_account !== caller.account?.id && !may(caller, 'manage', { ownerId: row.owner_id }))
      throw noTransfer();
    await tx.query(`update transfers set state = 'declined' where id = $1`, [id]);
    await record(tx, caller, { action: 'transfer.decline', ownerId: row.owner_id, details: { id } });
    return describeTransfer(row);
  });
}

/** An open offer whose sender still is admin; the same failure for all others. */
async function lockTransfer(
  tx: Queryable,
  { registry, caller, id }: { readonly registry: Registry; readonly caller: Caller; readonly id: string },
): Promise<TransferRow> {
  if (caller.account === undefined) throw unauthorised();
  if (!mayAnswer(caller))
    throw new Failure(
      'forbidden',
      'transfers need a token with scope owner that is not limited to a namespace',
    );
  await tx.query('select from owners where id = (select owner_id from transfers where id = $1) for update', [
    id,
  ]);
  const [row] = await tx.query<TransferRow>(`${TRANSFERS} where t.id = $1 and ${STANDS}`, [
    id,
    registry.now(),
  ]);
  if (row === undefined) throw noTransfer();
  return row;
}

function noTransfer(): Failure {
  return new Failure('not_found', 'no such offer, or it has expired');
}

function describeTransfer({ id, owner, from, to, roles, expires_at }: TransferRow): Transfer {
  const offered = roles === null ? {} : { roles };
  return { id, owner, ...offered, from, to, expires: expires_at.toISOString() };
}
