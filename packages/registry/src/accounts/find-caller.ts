// The caller behind a token or a session. Looked up for every request, so that revoking acts on the next one.

import { type Provenance, type Role, Scope } from 'skillwright/registry-protocol';
import { type Caller, unauthorised } from '../access/index.ts';
import { hashSecret, isTokenShaped } from '../base/index.ts';
import type { Registry } from '../registry.ts';

export const NO_TOKEN = 'this token is unknown, expired or revoked';
/** Uses within this time are written once. */
const USE_INTERVAL = 60_000;

interface AccountRow {
  account_id: number;
  account: string;
  is_admin: boolean;
  roles: { owner: number; role: Role }[] | null;
}

interface TokenRow extends AccountRow {
  id: string;
  scopes: Scope[];
  owner_id: number | null;
  skill: string | null;
  provenance: Provenance | null;
  used_at: Date | null;
}

interface SessionRow extends AccountRow {
  id: string;
  token_id: string | null;
  scopes: Scope[] | null;
  owner_id: number | null;
  skill: string | null;
  used_at: Date;
}

const ACCOUNT_COLUMNS = `a.id as account_id, a.name as account, a.is_admin,
  (select jsonb_agg(jsonb_build_object('owner', r.owner_id, 'role', r.role)) from roles r where r.account_id = a.id) as roles`;

/** The caller with this token; fails when it is unknown, expired or revoked, or its account is suspended. */
export async function findTokenCaller(registry: Registry, token: string): Promise<Caller> {
  if (!isTokenShaped(token)) throw unauthorised(NO_TOKEN);
  const now = registry.now();
  const [row] = await registry.database.query<TokenRow>(
    `select t.id, t.scopes, t.owner_id, t.skill, t.provenance, t.used_at, ${ACCOUNT_COLUMNS}
     from tokens t join accounts a on a.id = t.account_id
     where t.hash = $1 and t.revoked_at is null and a.suspended is null
       and (t.expires_at is null or t.expires_at > $2)`,
    [hashSecret(token), now],
  );
  if (row === undefined) throw unauthorised(NO_TOKEN);
  noteUse(registry, 'tokens', { row, now });
  return {
    via: 'token',
    ...accountOf(row),
    scopes: new Set(row.scopes),
    limitedTo: row.owner_id ?? undefined,
    onlySkill: row.skill ?? undefined,
    provenance: row.provenance ?? undefined,
    tokenId: row.id,
  };
}

/**
 * The caller with this session; undefined when it has ended. A session opened with a token has that token's rights and ends
 * with it.
 */
export async function findSessionCaller(registry: Registry, secret: string): Promise<Caller | undefined> {
  const now = registry.now();
  const idleSince = new Date(now.getTime() - registry.settings.sessionIdleHours * 3_600_000);
  const [row] = await registry.database.query<SessionRow>(
    `select s.id, s.token_id, t.scopes, t.owner_id, t.skill, s.used_at, ${ACCOUNT_COLUMNS}
     from sessions s join accounts a on a.id = s.account_id left join tokens t on t.id = s.token_id
     where s.hash = $1 and s.expires_at > $2 and s.used_at > $3 and a.suspended is null
       and (s.token_id is null or (t.revoked_at is null and (t.expires_at is null or t.expires_at > $2)))`,
    [hashSecret(secret), now, idleSince],
  );
  if (row === undefined) return undefined;
  noteUse(registry, 'sessions', { row, now });
  return {
    via: 'session',
    ...accountOf(row),
    scopes: new Set(row.scopes ?? Scope.options),
    limitedTo: row.owner_id ?? undefined,
    onlySkill: row.skill ?? undefined,
    provenance: undefined,
    tokenId: row.token_id ?? undefined,
    sessionId: row.id,
  };
}

function accountOf(row: AccountRow): Required<Pick<Caller, 'account' | 'roles'>> {
  const { account_id: id, account: name, is_admin: isAdmin } = row;
  return { account: { id, name, isAdmin }, roles: groupRoles(row.roles ?? []) };
}

/** Writes the time of use without making the request wait. A lost write costs a minute of precision. */
function noteUse(
  { database }: Registry,
  table: 'tokens' | 'sessions',
  { row, now }: { readonly row: { id: string; used_at: Date | null }; readonly now: Date },
): void {
  if (row.used_at !== null && now.getTime() - row.used_at.getTime() < USE_INTERVAL) return;
  const stale = new Date(now.getTime() - USE_INTERVAL);
  database
    .query(`update ${table} set used_at = $2 where id = $1 and (used_at is null or used_at <= $3)`, [
      row.id,
      now,
      stale,
    ])
    .catch(() => {});
}

/** Roles by namespace. */
function groupRoles(rows: readonly { owner: number; role: Role }[]): Map<number, Set<Role>> {
  const roles = new Map<number, Set<Role>>();
  for (const { owner, role } of rows) {
    const known = roles.get(owner);
    if (known === undefined) roles.set(owner, new Set([role]));
    else known.add(role);
  }
  return roles;
}
