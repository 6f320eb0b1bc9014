// The caller behind a token.

import type { Provenance, Role, Scope } from 'skillwright/registry-protocol';
import type { Caller } from '../access/caller.ts';
import { unauthorised } from '../access/may.ts';
import type { Registry } from '../registry.ts';
import { hashSecret } from './tokens.ts';

interface TokenRow {
  id: string;
  account_id: number;
  account: string;
  is_admin: boolean;
  scopes: Scope[];
  owner_id: number | null;
  provenance: Provenance | null;
  roles: { owner: number; role: Role }[] | null;
}

/** The caller with this token; fails when it is unknown, expired or revoked, or its account is suspended. */
export async function findTokenCaller(registry: Registry, token: string): Promise<Caller> {
  const [row] = await registry.database.query<TokenRow>(
    `select t.id, t.account_id, a.name as account, a.is_admin, t.scopes, t.owner_id, t.provenance,
       (select jsonb_agg(jsonb_build_object('owner', r.owner_id, 'role', r.role)) from roles r where r.account_id = a.id) as roles
     from tokens t join accounts a on a.id = t.account_id
     where t.hash = $1 and t.revoked_at is null and a.suspended is null
       and (t.expires_at is null or t.expires_at > $2)`,
    [hashSecret(token), registry.now()],
  );
  if (row === undefined) throw unauthorised();
  return {
    via: 'token',
    account: { id: row.account_id, name: row.account, isAdmin: row.is_admin },
    scopes: new Set(row.scopes),
    limitedTo: row.owner_id ?? undefined,
    roles: groupRoles(row.roles ?? []),
    provenance: row.provenance ?? undefined,
    tokenId: row.id,
  };
}

/** Roles by namespace. */
export function groupRoles(rows: readonly { owner: number; role: Role }[]): Map<number, Set<Role>> {
  const roles = new Map<number, Set<Role>>();
  for (const { owner, role } of rows) {
    const known = roles.get(owner);
    if (known === undefined) roles.set(owner, new Set([role]));
    else known.add(role);
  }
  return roles;
}
