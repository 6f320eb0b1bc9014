// Invitations: one-time links that create an account, or sign in to it when it exists.

import {
  type Invitation,
  type OpenInvitation as InvitationInfo,
  type InvitationRequest,
  type Role,
  Scope,
} from 'skillwright/registry-protocol';
import {
  type Account,
  type Caller,
  demandRegistryAdmin,
  isRegistryAdmin,
  may,
  record,
  unauthorised,
} from '../access/index.ts';
import { Failure, hashSecret, newSecret } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { type Queryable, queryMessages } from '../store/index.ts';
import { isFreeAccountName } from './account-name.ts';
import { lockOwner, STANDS } from './find-owner.ts';
import { demandTokenManager } from './manage-tokens.ts';
import { changeRoles } from './note-owner-change.ts';
import { asPerson } from './sessions.ts';
import { createToken, storeSecret, works } from './stored-secrets.ts';
import { declineTransfer } from './transfers.ts';

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

/** Roles that the caller's namespaces offer, and for administrators the invitations that can still be accepted, newest first. */
export async function listInvitations(
  { database, now }: Registry,
  caller: Caller,
): Promise<InvitationInfo[]> {
  demandTokenManager(caller);
  const managed = [...caller.roles.keys()].filter((ownerId) => may(caller, 'manage', { ownerId }));
  return queryMessages(
    database,
    `select id, account, kind, roles, by, expires from (
       select i.id, i.details->>'account' as account, 'link' as kind, i.details->'roles' as roles, a.name as by,
         i.expires_at as expires, i.created_at
       from secrets i join accounts a on a.id = i.account_id
       where $1 and i.kind = 'invitation' and ${works('i', '$2')}
       union all
       select t.id, t.to_name, 'roles', jsonb_build_array(jsonb_build_object('owner', o.name, 'roles', t.roles)), f.name,
         t.expires_at, t.created_at
       from transfers t join owners o on o.id = t.owner_id join accounts f on f.id = t.from_account
       where t.roles is not null and t.owner_id = any($3::bigint[]) and ${STANDS}
     ) open order by created_at desc, id limit 200`,
    [isRegistryAdmin(caller), now(), managed],
  );
}

/** Withdraws an invitation, whose link then stops working, or roles that a namespace offers. */
export async function withdrawInvitation(registry: Registry, caller: Caller, id: string): Promise<void> {
  const [offer] = await registry.database.query('select from transfers where id = $1', [id]);
  if (offer !== undefined) {
    await declineTransfer(registry, caller, id);
    return;
  }
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
    await changeRoles(tx, { registry, caller: inviter, owner, account: account.name, roles: all });
  }
  await record(tx, asPerson(account), { action: 'invitation.accept', details: { id } });
  return account;
}

/** Accepts an invitation by the code in its link, and makes a token for its account. */
export async function redeemInvitation(
  registry: Registry,
  code: string,
): Promise<{ readonly account: Account; readonly id: string; readonly token: string }> {
  // Where people sign in at a provider, leaving it closes the account.
  if (registry.settings.providers.length > 0)
    throw new Failure('forbidden', 'accept the invitation in a browser, by signing in at a provider');
  return registry.database.transaction(async (tx) => {
    const { id } = await findInvitation(tx, { registry, code });
    const account = await acceptInvitation(tx, { registry, id });
    const scopes = Scope.options.filter((scope) => scope !== 'admin' || account.isAdmin);
    const token = await createToken(tx, { accountId: account.id, name: 'sign-in', scopes });
    await record(tx, asPerson(account), {
      action: 'token.create',
      details: { id: token.id, name: 'sign-in', scopes },
    });
    return { account, ...token };
  });
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
