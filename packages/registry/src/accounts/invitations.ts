// Invitations: one-time links that create an account, or sign in to it when it exists.

import { type OpenInvitation as InvitationInfo, type Role, Scope } from 'skillwright/registry-protocol';
import {
  type Account,
  anonymous,
  demandRegistryAdmin,
  isRegistryAdmin,
  may,
  unauthorised,
} from '../access/index.ts';
import { Failure, hashSecret, newSecret } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { type Queryable, queryMessages } from '../store/index.ts';
import { type Change, change, type Handlers } from '../work/index.ts';
import { isFreeAccountName } from './accounts.ts';
import { offerOperations } from './offers.ts';
import { changeRoles, lockOwner, STANDS } from './owners.ts';
import { asPerson, createToken, storeSecret, works } from './stored-secrets.ts';
import { demandTokenManager } from './tokens.ts';

/** An invitation that can be accepted. */
interface OpenInvitation extends Pick<InvitationInfo, 'id' | 'account' | 'roles'> {
  readonly created_by: number;
}

/** Columns and condition of such invitations, at the time `$2`. They end with the rights of the administrator who made them. */
const OPEN = `i.id, i.details->>'account' as account, i.details->'roles' as roles, i.account_id as created_by`;
const IS_OPEN = `i.kind = 'invitation' and ${works('i', '$2')} and a.id = i.account_id and a.is_admin and a.suspended is null`;

export const invitationOperations = {
  /** Invites a person. The link is shown once; only its hash is stored. */
  async createInvitation({ registry, caller, body: { account, roles, days } }) {
    demandRegistryAdmin(caller);
    if (caller.account === undefined) throw unauthorised();
    const { account: inviter } = caller;
    return change({ registry, caller }, async ({ tx, note }) => {
      const [known] = await tx.query<{ suspended: string | null }>(
        'select suspended from accounts where name = $1',
        [account],
      );
      if (known === undefined ? !(await isFreeAccountName(tx, account)) : known.suspended !== null)
        throw new Failure('name_taken', 'this account is suspended, reserved, or looks like another one');
      for (const { owner } of roles) await lockOwner(tx, caller, owner);
      const code = newSecret();
      const now = registry.now();
      const expiresAt = new Date(now.getTime() + days * 86_400_000);
      const id = await storeSecret(tx, {
        kind: 'invitation',
        hash: hashSecret(code),
        accountId: inviter.id,
        details: { account, roles },
        now,
        expiresAt,
      });
      note('invitation.create', { details: { id, account, roles } });
      const link = `${registry.publicUrl}/invite/${code}`;
      return { id: id!, account, link, expires: expiresAt.toISOString() };
    });
  },

  /** Roles that the caller's namespaces offer, and for administrators the invitations that can still be accepted, newest first. */
  async listInvitations({ registry: { database, now }, caller }) {
    demandTokenManager(caller);
    const managed = [...caller.roles.keys()].filter((ownerId) => may(caller, 'manage', { ownerId }));
    const invitations = await queryMessages<InvitationInfo>(
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
    return { invitations };
  },

  /** Withdraws an invitation, whose link then stops working, or roles that a namespace offers. */
  async withdrawInvitation(call) {
    const { registry, caller, path } = call;
    const { id } = path;
    const [offer] = await registry.database.query('select from transfers where id = $1', [id]);
    if (offer !== undefined) return offerOperations.declineTransfer({ ...call, query: {}, body: undefined });
    demandRegistryAdmin(caller);
    return change({ registry, caller }, async ({ tx, note }) => {
      const [row] = await tx.query<{ account: string }>(
        `delete from secrets where id = $1 and kind = 'invitation' and ended_at is null
         returning details->>'account' as account`,
        [id],
      );
      if (row === undefined) throw noInvitation();
      note('invitation.withdraw', { details: { id, account: row.account } });
    });
  },

  async acceptInvitation({ registry, body: { code } }) {
    const { account, token } = await redeemInvitation(registry, code);
    return { account: account.name, token };
  },
} satisfies Partial<Handlers>;

/** The invitation behind a link; one failure for links that never existed, were used or have expired. */
export async function findInvitation(
  tx: Queryable,
  { registry, code }: { readonly registry: Registry; readonly code: string },
): Promise<OpenInvitation> {
  const [row] = await tx.query<OpenInvitation>(
    `select ${OPEN} from secrets i, accounts a where i.hash = $1 and ${IS_OPEN}`,
    [hashSecret(code), registry.now()],
  );
  if (row === undefined) throw noInvitation();
  return row;
}

/** Uses an invitation up: makes the account if needed, and gives its roles. */
export async function acceptInvitation(made: Change, id: string): Promise<Account> {
  const { registry, tx, note } = made;
  const [row] = await tx.query<OpenInvitation>(
    `update secrets i set ended_at = $2 from accounts a where i.id = $1 and ${IS_OPEN} returning ${OPEN}`,
    [id, registry.now()],
  );
  if (row === undefined) throw noInvitation();
  const account = await findOrCreate(made, row.account);
  // Roles come from the administrator who invited, and are noted as theirs.
  const [inviter] = await tx.query<Account>(
    'select id, name, is_admin as "isAdmin" from accounts where id = $1',
    [row.created_by],
  );
  const by = { ...asPerson(inviter!), scopes: new Set(['read', 'owner', 'admin'] as const) };
  for (const { owner: name, roles } of row.roles) {
    const owner = await lockOwner(tx, by, name);
    const had = await tx.query<{ role: Role }>(
      'select role from roles where owner_id = $1 and account_id = $2',
      [owner.id, account.id],
    );
    const all = [...new Set([...had.map(({ role }) => role), ...roles])].toSorted();
    await changeRoles(made, owner, { account: account.name, roles: all, by });
  }
  note('invitation.accept', { details: { id } }, asPerson(account));
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
  return change({ registry, caller: anonymous }, async (made) => {
    const { tx, note } = made;
    const account = await acceptInvitation(made, (await findInvitation(tx, { registry, code })).id);
    const scopes = Scope.options.filter((scope) => scope !== 'admin' || account.isAdmin);
    const { id, token } = await createToken(tx, { accountId: account.id, name: 'sign-in', scopes });
    note('token.create', { details: { id, name: 'sign-in', scopes } }, asPerson(account));
    return { account, id, token };
  });
}

async function findOrCreate(made: Change, name: string): Promise<Account> {
  const [known] = await made.tx.query<Account & { suspended: string | null }>(
    'select id, name, is_admin as "isAdmin", suspended from accounts where name = $1',
    [name],
  );
  if (known?.suspended === null) return known;
  if (known !== undefined || !(await isFreeAccountName(made.tx, name))) throw noInvitation();
  return createAccount(made, { name });
}

/** Makes an account and notes it. */
export async function createAccount(
  { tx, note }: Change,
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
  note('account.create', { details: { account: name } }, asPerson(account));
  return account;
}

function noInvitation(): Failure {
  return new Failure('not_found', 'this invitation does not exist, was used, or has expired');
}
