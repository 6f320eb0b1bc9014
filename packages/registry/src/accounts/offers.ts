// Namespaces, and roles in them, offered to another account, which accepts or declines before the offer expires. The same
// answer is given for an account that does not exist.

import type { Owner, Role, Transfer } from 'skillwright/registry-protocol';
import { may, unauthorised } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { type Queryable, queryMessages } from '../store/index.ts';
import { type Act, change, type Handlers } from '../work/index.ts';
import { changeRoles, demandManager, insertOffer, lockOwner, noteOwner, STANDS } from './owners.ts';

const TRANSFERS = `select t.id, o.name as owner, f.name as "from", t.to_name as "to", t.roles, t.expires_at as expires
  from transfers t join owners o on o.id = t.owner_id join accounts f on f.id = t.from_account`;

async function queryOffers(tx: Queryable, where: string, parameters: readonly unknown[]) {
  const rows = await queryMessages<Omit<Transfer, 'roles'> & { roles: Role[] | null }>(
    tx,
    `${TRANSFERS} where ${where}`,
    parameters,
  );
  return rows.map(
    ({ id, owner, roles, ...rest }): Transfer => ({
      id,
      owner,
      ...(roles === null ? {} : { roles }),
      ...rest,
    }),
  );
}

/** Offers to an account that it can accept: namespaces and roles. */
export function listOffers({ database, now }: Act['registry'], accountId: number): Promise<Transfer[]> {
  return queryOffers(database, `t.to_account = $1 and ${STANDS} order by t.created_at, t.id`, [
    accountId,
    now(),
  ]);
}

/** The open offer of a namespace, for its administrators and for the account it is made to. */
export async function findOffer({ registry, caller }: Act, ownerId: number): Promise<Transfer | null> {
  if (caller.account === undefined) return null;
  const [found = null] = await queryOffers(
    registry.database,
    `t.owner_id = $1 and t.roles is null and ${STANDS} and ($3 or t.to_account = $4)`,
    [ownerId, registry.now(), may(caller, 'manage', { ownerId }), caller.account.id],
  );
  return found;
}

/**
 * A namespace that is offered to the caller, who does not see it otherwise: enough to answer the offer, and nothing about its
 * members and skills but their number.
 */
export async function showOffered(
  { registry: { database, now }, caller }: Act,
  name: string,
): Promise<{ readonly owner: Owner; readonly transfer: Transfer } | undefined> {
  if (caller.account === undefined || !mayAnswer(caller)) return undefined;
  const [transfer] = await queryOffers(
    database,
    `o.name = $1 and ${STANDS} and t.to_account = $3 order by t.roles is not null limit 1`,
    [name, now(), caller.account.id],
  );
  if (transfer === undefined) return undefined;
  const [owner] = await queryMessages<Owner>(
    database,
    `select name, title, url, created_at as created, (select count(*) from skills where owner_id = o.id) as skills
     from owners o where name = $1`,
    [name],
  );
  return { owner: owner!, transfer };
}

/** A namespace changes hands by a person, or a token with this right for all namespaces. */
function mayAnswer({ scopes, limitedTo }: Act['caller']): boolean {
  return scopes.has('owner') && limitedTo === undefined;
}

/** Settles an open offer whose sender still is admin; the same failure for all others. */
function settleOffer(
  { registry, caller }: Act,
  { id, state }: { readonly id: string; readonly state: 'accepted' | 'declined' },
): Promise<Transfer> {
  return change({ registry, caller }, async (made) => {
    const { tx, note } = made;
    if (caller.account === undefined) throw unauthorised();
    if (!mayAnswer(caller))
      throw new Failure(
        'forbidden',
        'transfers need a token with scope owner that is not limited to a namespace',
      );
    await tx.query(
      'select from owners where id = (select owner_id from transfers where id = $1) for update',
      [id],
    );
    const [offer] = await queryOffers(tx, `t.id = $1 and ${STANDS}`, [id, registry.now()]);
    const [row] = await tx.query<{ ownerId: number; toAccount: number | null }>(
      'select owner_id as "ownerId", to_account as "toAccount" from transfers where id = $1',
      [id],
    );
    const isTheirs = row?.toAccount === caller.account.id;
    const mayWithdraw = state === 'declined' && row && may(caller, 'manage', { ownerId: row.ownerId });
    if (offer === undefined || row === undefined || !(isTheirs || mayWithdraw))
      throw new Failure('not_found', 'no such offer, or it has expired');
    await tx.query('update transfers set state = $2 where id = $1', [id, state]);
    const { ownerId } = row;
    const owner = { id: ownerId, name: offer.owner };
    if (state === 'declined') note('transfer.decline', { ownerId, details: { id } });
    else if (offer.roles !== undefined)
      await changeRoles(made, owner, { account: offer.to, roles: offer.roles });
    else {
      // The account becomes the only admin; other roles stay.
      await tx.query(`delete from roles where owner_id = $1 and role = 'admin'`, [ownerId]);
      await tx.query(`insert into roles (owner_id, account_id, role) values ($1, $2, 'admin')`, [
        ownerId,
        row.toAccount,
      ]);
      const [action, roles] = ['transfer.accept', ['admin' as const]] as const;
      noteOwner(made, owner, { action, change: 'transferred', account: offer.to, roles });
    }
    return offer;
  });
}

export const offerOperations = {
  /** Offers a namespace to an account. A new offer replaces the one before. */
  offerTransfer: ({ registry, caller, path, body: { to } }) =>
    change({ registry, caller }, async (made) => {
      const { tx } = made;
      const owner = await lockOwner(tx, caller, path.owner);
      demandManager(caller, owner);
      await tx.query(
        `update transfers set state = 'replaced' where owner_id = $1 and state = 'pending' and roles is null`,
        [owner.id],
      );
      const id = await insertOffer(made, { ownerId: owner.id, to, roles: null });
      return (await queryOffers(tx, 't.id = $1', [id]))[0]!;
    }),
  acceptTransfer: (call) => settleOffer(call, { id: call.path.id, state: 'accepted' }),
  /** Declines an offer, or takes one back that the caller's namespace made. */
  declineTransfer: (call) => settleOffer(call, { id: call.path.id, state: 'declined' }),
} satisfies Partial<Handlers>;
