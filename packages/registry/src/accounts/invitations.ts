// Invitations: one-time links that create an account, or sign in to it when it exists.

import type { Invitation, InvitationRequest, Role } from 'skillwright/registry-protocol';
import { type Account, type Caller, demandRegistryAdmin, record, unauthorised } from '../access/index.ts';
import { Failure, hashSecret, newSecret } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { type Queryable, queryMessages } from '../store/index.ts';
import { isFreeAccountName } from './account-name.ts';
import { lockOwner } from './find-owner.ts';
import { noteOwnerChange } from './note-owner-change.ts';
import { asPerson } from './sessions.ts';
import { storeSecret, works } from './stored-secrets.ts';

/** An invitation that can be accepted. */
interface OpenInvitation {
  id: string;
  account: string;
  roles: { owner: string; roles: Role[] }[];
  created_by: number;
}

const OPEN = `i.id, i.details->>'account' as account, i.details->'roles' as roles, i.account_id as created_by`;

/** Invites a person. The link is shown once; only its hash is stored. */
export async function createInvitation(
  registry: Registry,
  caller: Caller,
  { account, roles, days }: InvitationRequest,
): Promise<Invitation> {
  demandRegistryAdmin(caller);
  if (caller.account === undefined) throw unauthorised();
  const { account: inviter } = caller;
  return registry.database.transaction(async (tx) => {
    const [known] = await tx.query<{ suspended: string | null }>(
      'select suspended from accounts where name = $1',
      [account],
    );
    if (known === undefined ? !(await isFreeAccountName(tx, account)) : known.suspended !== null)
      throw new Failure('name_taken', 'this account is suspended, reserved, or looks like another one');
    for (const { owner } of roles) await lockOwner(tx, caller, owner);
    const code = newSecret();
    const now = registry.now();
    const expires = new Date(now.getTime() + days * 86_400_000);
    const id = await storeSecret(tx, {
      kind: 'invitation',
      hash: hashSecret(code),
      accountId: inviter.id,
      details: { account, roles },
      now,
      expiresAt: expires,
    });
    await record(tx, caller, { action: 'invitation.create', details: { id, account, roles } });
    return {
      id: id!,
      account,
      link: `${registry.publicUrl}/invite/${code}`,
      expires: expires.toISOString(),
    };
  });
}

/** An invitation nobody accepted yet, without its link. */
export interface InvitationInfo {
  readonly id: string;
  readonly account: string;
  readonly roles: OpenInvitation['roles'];
  readonly by: string;
  readonly expires: string;
}

/** Invitations that can still be accepted, newest first. */
export async function listInvitations(
  { database, now }: Registry,
  caller: Caller,
): Promise<InvitationInfo[]> {
  demandRegistryAdmin(caller);
  return queryMessages(
    database,
    `select i.id, i.details->>'account' as account, i.details->'roles' as roles, a.name as by, i.expires_at as expires
     from secrets i join accounts a on a.id = i.account_id
     where i.kind = 'invitation' and ${works('i', '$1')} order by i.created_at desc, i.id limit 200`,
    [now()],
  );
}

/** Withdraws an invitation: its link stops working. */
export async function withdrawInvitation(registry: Registry, caller: Caller, id: string): Promise<void> {
  demandRegistryAdmin(caller);
  await registry.database.transaction(async (tx) => {
    const [row] = await tx.query<{ account: string }>(
      `delete from secrets where id = $1 and kind = 'invitation' and ended_at is null
       returning details->>'account' as account`,
      [id],
    );
    if (row === undefined) throw noInvitation();
    await record(tx, caller, { action: 'invitation.withdraw', details: { id, account: row.account } });
  });
}

/** The invitation behind a link; one failure for links that never existed, were used or have expired. */
export async function findInvitation(
  tx: Queryable,
  { registry, code }: { readonly registry: Registry; readonly code: string },
): Promise<OpenInvitation> {
  const [row] = await tx.query<OpenInvitation>(
    `select ${OPEN} from secrets i join accounts a on a.id = i.account_id
     where i.hash = $1 and i.kind = 'invitation' and ${works('i', '$2')} and a.is_admin and a.suspended is null`,
    [hashSecret(code), registry.now()],
  );
  if (row === undefined) throw noInvitation();
  return row;
}

/** Uses an invitation up: makes the account if needed, and gives its roles. */
export async function acceptInvitation(
  tx: Queryable,
  { registry, id }: { readonly registry: Registry; readonly id: string },
): Promise<Account> {
  const [row] = await tx.query<OpenInvitation>(
    `update secrets i set ended_at = $2 from accounts a
     where i.id = $1 and i.kind = 'invitation' and ${works('i', '$2')}
       and a.id = i.account_id and a.is_admin and a.suspended is null
     returning ${OPEN}`,
    [id, registry.now()],
  );
  if (row === undefined) throw noInvitation();
  const account = await findOrCreate(tx, row.account);
  const inviter = await findInviter(tx, row.created_by);
  for (const { owner: name, roles } of row.roles) {
    const owner = await lockOwner(tx, inviter, name);
    const had = await tx.query<{ role: Role }>(
      'select role from roles where owner_id = $1 and account_id = $2',
      [owner.id, account.id],
    );
    const all = [...new Set([...had.map(({ role }) => role), ...roles])].toSorted();
    await tx.query(
      `insert into roles (owner_id, account_id, role) select $1, $2, role from unnest($3::text[]) as role
       on conflict do nothing`,
      [owner.id, account.id, all],
    );
    await noteOwnerChange(tx, {
      registry,
      caller: inviter,
      owner,
      action: 'owner.member',
      change: 'member',
      account: account.name,
      roles: all,
    });
  }
  await record(tx, asPerson(account), { action: 'invitation.accept', details: { id } });
  return account;
}

async function findOrCreate(tx: Queryable, name: string): Promise<Account> {
  const [known] = await tx.query<Account & { suspended: string | null }>(
    'select id, name, is_admin as "isAdmin", suspended from accounts where name = $1',
    [name],
  );
  if (known !== undefined && known.suspended === null)
    return { id: known.id, name: known.name, isAdmin: known.isAdmin };
  if (known !== undefined || !(await isFreeAccountName(tx, name))) throw noInvitation();
  return createAccount(tx, { name });
}

/** Makes an account and notes it. */
export async function createAccount(
  tx: Queryable,
  {
    name,
    displayName = '',
    email = null,
  }: { readonly name: string; readonly displayName?: string; readonly email?: string | null },
): Promise<Account> {
  const [row] = await tx.query<{ id: number }>(
    'insert into accounts (name, display_name, email) values ($1, $2, $3) returning id',
    [name, displayName, email],
  );
  const account: Account = { id: row!.id, name, isAdmin: false };
  await record(tx, asPerson(account), { action: 'account.create', details: { account: name } });
  return account;
}

/** Roles come from the administrator who invited, and are noted as theirs. */
async function findInviter(tx: Queryable, id: number): Promise<Caller> {
  const [account] = await tx.query<Account>(
    'select id, name, is_admin as "isAdmin" from accounts where id = $1',
    [id],
  );
  return { ...asPerson(account!), scopes: new Set(['read', 'owner', 'admin']) };
}

function noInvitation(): Failure {
  return new Failure('not_found', 'this invitation does not exist, was used, or has expired');
}
