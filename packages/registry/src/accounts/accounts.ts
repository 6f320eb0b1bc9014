// Accounts, as they see themselves and as administrators of the registry manage them, and the audit log of what they did.

import {
  type AccountInfo,
  AccountName,
  type AuditPage,
  type Role,
  type Whoami,
} from 'skillwright/registry-protocol';
import { nameSkeleton } from 'skillwright/skill';
import { demandRegistryAdmin, may, unauthorised } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { type Queryable, queryMessages } from '../store/index.ts';
import { change, type Handlers } from '../work/index.ts';
import { listOffers } from './offers.ts';
import { revokeTokens, works } from './stored-secrets.ts';

const PAGE = 100;

const ACCOUNTS = `select a.name, a.display_name as "displayName", a.email, a.is_admin as "isAdmin", a.is_moderator as "isModerator", a.suspended,
    a.created_at as created,
    (select count(*) from secrets t where t.account_id = a.id and t.kind = 'token' and ${works('t', '$1')}) as tokens
  from accounts a`;

/** Changes of an account: its column, and the actions that set it and unset it. */
const changes = {
  suspended: ['suspended', 'account.suspend', 'account.restore'],
  isAdmin: ['is_admin', 'account.admin', 'account.no-admin'],
  isModerator: ['is_moderator', 'account.moderator', 'account.no-moderator'],
} as const;

export const accountOperations = {
  async whoami({ registry, caller: { account, tokenId, limitedTo } }) {
    if (account === undefined) throw unauthorised();
    const { database } = registry;
    const [person] = await database.query<{ name: string }>(
      'select display_name as name from accounts where id = $1',
      [account.id],
    );
    const [token = null] = await queryMessages<NonNullable<Whoami['token']>>(
      database,
      `select id, details->>'name' as name, scopes, expires_at as expires from secrets where id = $1`,
      [tokenId ?? null],
    );
    const owners = await database.query<{ name: string; roles: Role[] }>(
      `select o.name, array_agg(r.role order by r.role) as roles from roles r join owners o on o.id = r.owner_id
       where r.account_id = $1 and ($2::bigint is null or o.id = $2) group by o.name order by o.name`,
      [account.id, limitedTo ?? null],
    );
    return {
      account: account.name,
      displayName: person?.name ?? '',
      isAdmin: account.isAdmin,
      token,
      owners,
      transfers: limitedTo === undefined ? await listOffers(registry, account.id) : [],
    };
  },

  /** Accounts by name, a hundred a page. */
  async listAccounts({ registry: { database, now }, caller, query: { cursor = '' } }) {
    demandRegistryAdmin(caller);
    const rows = await queryMessages<AccountInfo>(
      database,
      `${ACCOUNTS} where a.name > $2 order by a.name limit ${PAGE + 1}`,
      [now(), cursor],
    );
    const accounts = rows.slice(0, PAGE);
    return { accounts, next: rows.length > PAGE ? accounts.at(-1)!.name : null };
  },

  /** Suspends an account or ends that, gives or takes the registry's administration. The next request obeys. */
  async changeAccount({ registry, caller, path: { account: name }, body }) {
    demandRegistryAdmin(caller);
    return change({ registry, caller }, async ({ tx, note }) => {
      const id = await lockAccount(tx, name);
      for (const [field, [column, set, unset]] of Object.entries(changes)) {
        const value = body[field as keyof typeof changes];
        if (value === undefined) continue;
        await tx.query(`update accounts set ${column} = $2 where id = $1`, [id, value]);
        const isSet = value !== null && value !== false;
        const details = { account: name, ...(field === 'suspended' ? { reason: value } : {}) };
        note(isSet ? set : unset, { details });
      }
      if (typeof body.suspended === 'string') await endSessions(tx, id);
      // Tokens made as an administrator do not become powerful again later.
      if (body.isAdmin === false)
        await tx.query(
          `update secrets set scopes = array_remove(scopes, 'admin') where account_id = $1 and kind = 'token'`,
          [id],
        );
      const admins = await tx.query('select from accounts where is_admin and suspended is null');
      if (admins.length === 0) throw new Failure('conflict', 'the registry needs at least one administrator');
      const sql = `${ACCOUNTS} where a.id = $2`;
      return (await queryMessages<AccountInfo>(tx, sql, [registry.now(), id]))[0]!;
    });
  },

  /** Revokes every token of an account and ends its sessions. */
  async revokeAccountTokens({ registry, caller, path: { account: name } }) {
    demandRegistryAdmin(caller);
    return change({ registry, caller }, async ({ tx, note }) => {
      const id = await lockAccount(tx, name);
      const tokens = await tx.query<{ id: string }>(
        `select id from secrets where account_id = $1 and kind = 'token' and ended_at is null`,
        [id],
      );
      const ids = tokens.map((token) => token.id);
      const revoked = await revokeTokens(tx, ids, registry.now());
      await endSessions(tx, id);
      note('account.revoke-all', { details: { account: name, revoked } });
      return { revoked };
    });
  },

  /** One page, newest first. Administrators of the registry read all of it, those of a namespace what happened in it. */
  async readAudit({ registry: { database }, caller, query: { account, owner, action, cursor, limit } }) {
    const [namespace] = await database.query<{ id: number }>('select id from owners where name = $1', [
      owner ?? null,
    ]);
    if (namespace === undefined || !may(caller, 'manage', { ownerId: namespace.id }))
      demandRegistryAdmin(caller);
    const rows = await queryMessages<AuditPage['entries'][number]>(
      database,
      `select u.id, u.at as time, u.actor as account, u.via, u.action, o.name as owner, s.name as skill, u.version, u.details
       from audit u left join skills s on s.id = u.skill_id left join owners o on o.id = coalesce(u.owner_id, s.owner_id)
       where ($1::text is null or u.account_id = (select id from accounts where name = $1))
         and ($2::text is null or u.owner_id = $3)
         and ($4::text is null or u.action = $4 or starts_with(u.action, $4 || '.'))
         and ($5::bigint is null or u.id < $5)
       order by u.id desc limit $6`,
      [account ?? null, owner ?? null, namespace?.id ?? null, action ?? null, cursor ?? null, limit + 1],
    );
    const entries = rows.slice(0, limit);
    return { entries, next: rows.length > limit ? String(entries.at(-1)!.id) : null };
  },
} satisfies Partial<Handlers>;

async function endSessions(tx: Queryable, accountId: number): Promise<void> {
  await tx.query(`delete from secrets where kind = 'session' and account_id = $1`, [accountId]);
}

/** One change of administrators at a time, so that one always remains. */
async function lockAccount(tx: Queryable, name: string): Promise<number> {
  const locked = await tx.query<{ id: number; name: string }>(
    'select id, name from accounts where is_admin or name = $1 order by id for update',
    [name],
  );
  const found = locked.find((row) => row.name === name);
  if (found === undefined) throw new Failure('not_found', 'no such account');
  return found.id;
}

/** Names that look like the registry itself. */
const RESERVED = new Set(
  ['admin', 'administrator', 'anonymous', 'registry', 'root', 'skillwright', 'support', 'system'].map(
    nameSkeleton,
  ),
);

/** Whether a new account may have this name: it fits the rules, and no other looks like it. */
export async function isFreeAccountName(tx: Queryable, name: string): Promise<boolean> {
  const skeleton = nameSkeleton(name);
  if (!AccountName.safeParse(name).success || RESERVED.has(skeleton)) return false;
  return (await tx.query('select from accounts where skeleton = $1', [skeleton])).length === 0;
}

/** A free name near the one a person has elsewhere: `anna`, `anna-2`, `anna-3`, … */
export async function chooseAccountName(tx: Queryable, wish: string): Promise<string> {
  const base =
    wish
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 56)
      .replace(/-$/, '') || 'account';
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (await isFreeAccountName(tx, name)) return name;
  }
}
