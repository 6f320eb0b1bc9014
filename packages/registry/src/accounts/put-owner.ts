// Creates namespaces. Their names are never used again.

import type { Owner, OwnerRequest } from 'skillwright/registry-protocol';
import { nameSkeleton } from 'skillwright/skill';
import {
  type Account,
  anonymous,
  type Caller,
  isRegistryAdmin,
  may,
  record,
  unauthorised,
  visibleTo,
} from '../access/index.ts';
import { Failure } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';
import type { OwnerRow } from './find-owner.ts';
import { describeOwner } from './find-owner.ts';
import { noteOwnerChange } from './note-owner-change.ts';

/** Creates a namespace with the caller as its admin, or changes the title and address of one the caller manages unless it must be new. */
export async function putOwner(
  registry: Registry,
  caller: Caller,
  {
    name,
    request,
    mustBeNew = false,
  }: { readonly name: string; readonly request: OwnerRequest; readonly mustBeNew?: boolean },
): Promise<{ readonly owner: Owner; readonly isNew: boolean }> {
  const { account } = caller;
  if (account === undefined) throw unauthorised();
  return registry.database.transaction(async (tx) => {
    const [known] = await tx.query<{ id: number }>('select id from owners where name = $1', [name]);
    if (known !== undefined && may(caller, 'manage', { ownerId: known.id })) {
      if (mustBeNew) throw new Failure('name_taken', `@${name} exists already, and you manage it`);
      return { owner: await changeOwner(tx, { registry, caller }, { id: known.id, request }), isNew: false };
    }
    demandCreator(registry, caller);
    await demandRoom(tx, registry, caller);
    const row = await insertOwner(tx, { name, request, createdBy: account.id });
    await tx.query(`insert into roles (owner_id, account_id, role) values ($1, $2, 'admin')`, [
      row.id,
      account.id,
    ]);
    await noteOwnerChange(tx, {
      registry,
      caller,
      owner: row,
      action: 'owner.create',
      change: 'created',
      account: account.name,
      roles: ['admin'],
    });
    return {
      owner: await describeOwner(tx, { registry, caller: asAdmin(caller, account, row.id) }, row),
      isNew: true,
    };
  });
}

function demandCreator(registry: Registry, caller: Caller): void {
  if (registry.settings.newOwners === 'admins' && !isRegistryAdmin(caller))
    throw new Failure('forbidden', 'only administrators of this registry create namespaces');
  if (!caller.scopes.has('owner') || caller.limitedTo !== undefined)
    throw new Failure(
      'forbidden',
      'creating a namespace needs a token with scope owner that is not limited to one',
    );
}

/** Names are never used again, so nobody takes more than they need. Administrators may. */
async function demandRoom(tx: Queryable, { settings }: Registry, caller: Caller): Promise<void> {
  if (isRegistryAdmin(caller)) return;
  // Two requests at once count after each other.
  await tx.query('select from accounts where id = $1 for update', [caller.account!.id]);
  const [row] = await tx.query<{ count: number }>(
    'select count(*) as count from owners where created_by = $1',
    [caller.account!.id],
  );
  if (row!.count >= settings.maxOwners)
    throw new Failure(
      'forbidden',
      `you have created ${row!.count} namespaces, as many as this registry allows; ask an administrator for another one`,
    );
}

/** One answer for every reason, so that private namespaces stay hidden among reserved names and look-alikes. */
async function insertOwner(
  tx: Queryable,
  {
    name,
    request,
    createdBy,
  }: { readonly name: string; readonly request: OwnerRequest; readonly createdBy: number },
): Promise<OwnerRow> {
  const [row] = await tx.query<OwnerRow>(
    `insert into owners (name, skeleton, title, url, created_by) select $1, $2, $3, $4, $6::bigint where not $5
     on conflict do nothing returning id, name, title, url, created_at, false as is_public`,
    [name, nameSkeleton(name), request.title, request.url, isReservedName(name), createdBy],
  );
  if (row === undefined)
    throw new Failure('name_taken', 'this name is taken, reserved, or looks like another one');
  return row;
}

async function changeOwner(
  tx: Queryable,
  { registry, caller }: { readonly registry: Registry; readonly caller: Caller },
  { id, request }: { readonly id: number; readonly request: OwnerRequest },
): Promise<Owner> {
  const [row] = await tx.query<OwnerRow>(
    `update owners o set title = $2, url = $3 where id = $1 returning id, name, title, url, created_at,
       exists (select from skills s where s.owner_id = o.id and ${visibleTo(anonymous, [])}) as is_public`,
    [id, request.title, request.url],
  );
  await record(tx, caller, { action: 'owner.change', ownerId: id, details: { ...request } });
  return describeOwner(tx, { registry, caller }, row!);
}

/** The caller with the role the request just gave. */
function asAdmin(caller: Caller, account: Account, ownerId: number): Caller {
  return { ...caller, account, roles: new Map([...caller.roles, [ownerId, new Set(['admin' as const])]]) };
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
