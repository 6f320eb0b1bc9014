// Namespaces and their members. Strangers do not learn which exist, and names are never used again. A role is offered, and
// counts when the account accepts it: nobody becomes a member without their own will.

import { randomUUID } from 'node:crypto';
import { type Owner, type OwnerRequest, Role } from 'skillwright/registry-protocol';
import { nameSkeleton } from 'skillwright/skill';
import {
  anonymous,
  type Caller,
  demand,
  isRegistryAdmin,
  may,
  notFound,
  stillMay,
  unauthorised,
  visibleTo,
} from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Queryable } from '../store/index.ts';
import { type Act, type Change, change, type Handlers } from '../work/index.ts';

/** Condition: the offer `t` can be accepted at the time `$2`. Its sender still manages the namespace. */
export const STANDS = `t.state = 'pending' and t.expires_at > $2
  and ${stillMay('manage', { account: 't.from_account', owner: 't.owner_id' })}`;

/** A namespace. */
interface OwnerRow extends Pick<Owner, 'name' | 'title' | 'url'> {
  readonly id: number;
  readonly created_at: Date;
  /** Whether it has a public skill, so that everyone may know it. */
  readonly is_public: boolean;
}

const COLUMNS = `o.id, o.name, o.title, o.url, o.created_at,
  exists (select from skills s where s.owner_id = o.id and ${visibleTo(anonymous, [])}) as is_public`;

/** The namespace, or the one answer for those that do not exist and those the caller may not see. */
export async function findOwner(tx: Queryable, caller: Caller, name: string): Promise<OwnerRow> {
  const [row] = await tx.query<OwnerRow>(`select ${COLUMNS} from owners o where o.name = $1`, [name]);
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

/** The namespace as a message; members are listed for members. */
async function describeOwner(tx: Queryable, { registry, caller }: Act, owner: OwnerRow): Promise<Owner> {
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
  const { name, title, url, created_at } = owner;
  return {
    name,
    title,
    url,
    created: created_at.toISOString(),
    skills: counted!.count,
    ...(isMember(caller, owner.id) ? { members } : {}),
    ...(offered.length === 0 ? {} : { offered }),
  };
}

/** Replaces the roles of an account in a namespace, and notes it. */
export async function changeRoles(
  made: Change,
  owner: Pick<OwnerRow, 'id' | 'name'>,
  { account, roles, by }: { readonly account: string; readonly roles: readonly Role[]; readonly by?: Caller },
): Promise<void> {
  const { tx } = made;
  await tx.query(
    'delete from roles r using accounts a where r.owner_id = $1 and a.id = r.account_id and a.name = $2',
    [owner.id, account],
  );
  await tx.query(
    `insert into roles (owner_id, account_id, role)
     select $1, a.id, role from accounts a, unnest($3::text[]) as role where a.name = $2`,
    [owner.id, account, roles],
  );
  noteOwner(made, owner, { action: 'owner.member', change: 'member', account, roles, by });
}

/** How long an offer can be accepted. */
const OFFER = 7 * 86_400_000;

/** Offers a namespace, or roles in it, and returns the id. An account that is made later cannot accept. */
export async function insertOffer(
  { registry, caller, tx, note }: Change,
  offer: { readonly ownerId: number; readonly to: string; readonly roles: readonly Role[] | null },
): Promise<string> {
  if (caller.account === undefined) throw unauthorised();
  const { ownerId, to, roles } = offer;
  const id = randomUUID();
  const now = registry.now();
  await tx.query(
    `insert into transfers (id, owner_id, from_account, to_name, to_account, roles, created_at, expires_at)
     values ($1, $2, $3, $4, (select id from accounts where name = $4), $5, $6, $7)`,
    [id, ownerId, caller.account.id, to, roles, now, new Date(now.getTime() + OFFER)],
  );
  const details = { id, to, ...(roles === null ? {} : { roles }) };
  note(roles === null ? 'transfer.offer' : 'member.offer', { ownerId, details });
  return id;
}

/** Notes a change of a namespace. Members are shown to members only, so the log commits to them without naming them. */
export function noteOwner(
  { registry, note, log }: Change,
  { id: ownerId, name: owner }: Pick<OwnerRow, 'id' | 'name'>,
  {
    action,
    by,
    account,
    roles,
    ...rest
  }: {
    readonly action: string;
    readonly change: 'created' | 'member' | 'transferred';
    readonly account: string;
    readonly roles: readonly Role[];
    readonly by?: Caller | undefined;
  },
): void {
  note(action, { ownerId, details: { account, roles } }, by);
  const time = registry.now().toISOString();
  log({ entry: { kind: 'owner', owner, account, roles: [...roles], time, ...rest }, isPrivate: true });
}

export const ownerOperations = {
  /** The same failure for a namespace that does not exist and for one without anything public. */
  async getOwner({ registry, caller, path }) {
    const { database } = registry;
    return describeOwner(database, { registry, caller }, await findOwner(database, caller, path.owner));
  },

  async putOwner(call) {
    const { path, body, context } = call;
    const mustBeNew = context.req.header('if-none-match')?.trim() === '*';
    const { isNew, owner } = await putOwner(call, { ...body, name: path.owner, mustBeNew });
    return isNew ? owner : context.json(owner, 200, { 'cache-control': 'no-store' });
  },

  /**
   * Gives an account exactly these roles; none removes it. Roles it has no more end at once, roles it lacks are offered to it.
   * Members may leave by themselves; the last admin stays.
   */
  changeMember: ({ registry, caller, path: { owner: name, account }, body }) =>
    change({ registry, caller }, async (made) => {
      const { tx } = made;
      const roles = Role.options.filter((role) => body.roles.includes(role));
      const owner = await lockOwner(tx, caller, name);
      const isSelf = caller.account?.name === account;
      const leaves =
        roles.length === 0 &&
        isSelf &&
        caller.scopes.has('owner') &&
        (caller.limitedTo ?? owner.id) === owner.id &&
        caller.roles.has(owner.id);
      if (!leaves) demandManager(caller, owner);
      const rows = await tx.query<{ role: Role }>(
        'select r.role from roles r join accounts a on a.id = r.account_id where r.owner_id = $1 and a.name = $2',
        [owner.id, account],
      );
      const had = Role.options.filter((role) => rows.some((row) => row.role === role));
      // A manager accepts the roles that they give themselves.
      const kept = isSelf ? roles : roles.filter((role) => isIncluded(role, had));
      const withdrawn = await tx.query(
        `update transfers set state = 'replaced'
         where owner_id = $1 and to_name = $2 and state = 'pending' and roles is not null returning id`,
        [owner.id, account],
      );
      if (kept.join() !== had.join()) {
        await changeRoles(made, owner, { account, roles: kept });
        await demandAdmin(tx, owner.id);
      } else if (roles.length === 0 && withdrawn.length === 0)
        throw new Failure('not_found', 'no such member');
      if (kept.length < roles.length) await insertOffer(made, { ownerId: owner.id, to: account, roles });
      return describeOwner(tx, leaves ? { registry, caller: { ...caller, roles: new Map() } } : made, owner);
    }),
} satisfies Partial<Handlers>;

/** Creates a namespace with the caller as its admin, or changes one that the caller manages unless it must be new. */
export async function putOwner(
  { registry, caller }: Act,
  { mustBeNew, ...wanted }: OwnerRequest & { readonly name: string; readonly mustBeNew: boolean },
): Promise<{ readonly owner: Owner; readonly isNew: boolean }> {
  if (caller.account === undefined) throw unauthorised();
  return change({ registry, caller }, async (made) => {
    const { tx, note } = made;
    const { name, ...details } = wanted;
    const [known] = await tx.query<{ id: number }>('select id from owners where name = $1', [name]);
    if (known === undefined || !may(caller, 'manage', { ownerId: known.id }))
      return { isNew: true, owner: await createOwner(made, wanted) };
    if (mustBeNew) throw new Failure('name_taken', `@${name} exists already, and you manage it`);
    const [row] = await tx.query<OwnerRow>(
      `update owners o set title = $2, url = $3 where id = $1 returning ${COLUMNS}`,
      [known.id, details.title, details.url],
    );
    note('owner.change', { ownerId: known.id, details });
    return { isNew: false, owner: await describeOwner(tx, made, row!) };
  });
}

/** Whether somebody with these roles has the rights of another: giving it takes nothing but rights away. */
function isIncluded(role: Role, had: readonly Role[]): boolean {
  return had.includes(role) || had.includes('admin') || (role === 'reader' && had.length > 0);
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

async function createOwner(
  made: Change,
  { name, title, url }: OwnerRequest & { readonly name: string },
): Promise<Owner> {
  const { registry, caller, tx } = made;
  const { settings } = registry;
  const account = caller.account!;
  if (settings.newOwners === 'admins' && !isRegistryAdmin(caller))
    throw new Failure('forbidden', 'only administrators of this registry create namespaces');
  if (!caller.scopes.has('owner') || caller.limitedTo !== undefined)
    throw new Failure(
      'forbidden',
      'creating a namespace needs a token with scope owner that is not limited to one',
    );
  if (!isRegistryAdmin(caller)) {
    // Names are never used again, so nobody takes more than they need. Two requests at once count after each other.
    await tx.query('select from accounts where id = $1 for update', [account.id]);
    const rows = await tx.query('select from owners where created_by = $1', [account.id]);
    if (rows.length >= settings.maxOwners)
      throw new Failure(
        'forbidden',
        `you have created ${rows.length} namespaces, as many as this registry allows; ask an administrator for another one`,
      );
  }
  const [row] = await tx.query<OwnerRow>(
    `insert into owners as o (name, skeleton, title, url, created_by) select $1, $2, $3, $4, $6::bigint where not $5
     on conflict do nothing returning ${COLUMNS}`,
    [name, nameSkeleton(name), title, url, isReservedName(name), account.id],
  );
  // One answer for every reason, so that private namespaces stay hidden among reserved names and look-alikes.
  if (row === undefined)
    throw new Failure('name_taken', 'this name is taken, reserved, or looks like another one');
  await tx.query(`insert into roles (owner_id, account_id, role) values ($1, $2, 'admin')`, [
    row.id,
    account.id,
  ]);
  const roles = ['admin'] as const;
  noteOwner(made, row, { action: 'owner.create', change: 'created', account: account.name, roles });
  // The caller has the role that this request gave.
  const asAdmin = { ...caller, roles: new Map([...caller.roles, [row.id, new Set(roles)] as const]) };
  return describeOwner(tx, { registry, caller: asAdmin }, row);
}

/** Parts of the registry's addresses, and names that would pass for the registry itself. */
const RESERVED = new Set(
  `about account accounts admin administrator anonymous api archives assets audit auth blog callback code contact device
  docs download downloads everyone feed feeds find healthz help home index invitations invite invites issuer legal log login
  logout mcp me members metrics mirror mirrors moderator new null oauth official openapi owner owners page pages policy
  privacy public publish publisher publishers read readyz registry report reports review reviews root search security self
  session sessions settings signin signout signup site skc skill skills skillwright staff static status support system team
  terms token tokens transfer transfers undefined user users verified version versions webhooks well-known whoami www`
    .split(/\s+/)
    .map(nameSkeleton),
);

/** Whether a name, or one it looks like, is kept for the registry. */
export function isReservedName(name: string): boolean {
  return RESERVED.has(nameSkeleton(name));
}
