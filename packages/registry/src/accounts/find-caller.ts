// The caller behind a token or a session. Looked up for every request, so that revoking acts on the next one.

import { type Provenance, type Role, Scope } from 'skillwright/registry-protocol';
import { type Caller, unauthorised } from '../access/index.ts';
import { hashSecret, isTokenShaped } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { idleSince, works } from './stored-secrets.ts';

export const NO_TOKEN = 'this token is unknown, expired or revoked';
/** Uses within this time are written once. */
const USE_INTERVAL = 60_000;

interface SecretRow {
  id: string;
  used_at: Date | null;
  account_id: number;
  account: string;
  is_admin: boolean;
  is_moderator: boolean;
  roles: { owner: number; role: Role }[] | null;
  /** The token with the rights: a session opened without one has all rights of its account. */
  token_id: string | null;
  scopes: Scope[] | null;
  owner_id: number | null;
  skill: string | null;
  provenance: Provenance | null;
  started_by: number | null;
}

/** The caller with this token; fails when it is unknown, expired or revoked, or its account is suspended. */
export async function findTokenCaller(registry: Registry, token: string): Promise<Caller> {
  const row = isTokenShaped(token) ? await findSecret(registry, 'token', token) : undefined;
  if (row === undefined) throw unauthorised(NO_TOKEN);
  return callerOf('token', row);
}

/**
 * The caller with this session; undefined when it has ended. A session opened with a token has that token's rights and ends
 * with it.
 */
export async function findSessionCaller(registry: Registry, secret: string): Promise<Caller | undefined> {
  const row = await findSecret(registry, 'session', secret);
  return row && { ...callerOf('session', row), provenance: undefined, sessionId: row.id };
}

async function findSecret(
  registry: Registry,
  kind: 'token' | 'session',
  secret: string,
): Promise<SecretRow | undefined> {
  const now = registry.now();
  const [row] = await registry.database.query<SecretRow>(
    `select s.id, s.used_at, a.id as account_id, a.name as account, a.is_admin, a.is_moderator,
       (select jsonb_agg(jsonb_build_object('owner', r.owner_id, 'role', r.role))
        from roles r where r.account_id = a.id) as roles,
       t.id as token_id, t.scopes, t.owner_id, t.details->>'skill' as skill,
       nullif(t.details->'provenance', 'null') as provenance,
       (t.details->>'startedBy')::bigint as started_by
     from secrets s join accounts a on a.id = s.account_id
       left join secrets t on t.id = case when s.kind = 'token' then s.id else s.parent end
     where s.hash = $1 and s.kind = $2 and ${works('s', '$3')} and a.suspended is null
       and (s.kind = 'token' or s.used_at > $4) and (t.id is null or (${works('t', '$3')}))`,
    [hashSecret(secret), kind, now, idleSince(registry)],
  );
  if (row !== undefined) noteUse(registry, row, now);
  return row;
}

function callerOf(via: 'token' | 'session', row: SecretRow): Caller {
  const roles = new Map<number, Set<Role>>();
  for (const { owner, role } of row.roles ?? []) roles.set(owner, (roles.get(owner) ?? new Set()).add(role));
  return {
    via,
    account: { id: row.account_id, name: row.account, isAdmin: row.is_admin, isModerator: row.is_moderator },
    roles,
    scopes: new Set(row.scopes ?? Scope.options),
    limitedTo: row.owner_id ?? undefined,
    onlySkill: row.skill ?? undefined,
    provenance: row.provenance ?? undefined,
    startedBy: row.started_by ?? undefined,
    tokenId: row.token_id ?? undefined,
  };
}

/** Writes the time of use without making the request wait. A lost write costs a minute of precision. */
function noteUse({ database }: Registry, { id, used_at }: SecretRow, now: Date): void {
  if (used_at !== null && now.getTime() - used_at.getTime() < USE_INTERVAL) return;
  const stale = new Date(now.getTime() - USE_INTERVAL);
  const sql = 'update secrets set used_at = $2 where id = $1 and (used_at is null or used_at <= $3)';
  database.query(sql, [id, now, stale]).catch(() => {});
}
