// Tokens in the database.

import { randomUUID } from 'node:crypto';
import { type Provenance, Scope } from 'skillwright/registry-protocol';
import { hashSecret, newTokenSecret, TOKEN_PREFIX } from '../base/index.ts';
import { json, type Queryable } from '../store/index.ts';

/** A token to make. */
export interface NewToken {
  readonly accountId: number;
  readonly name: string;
  readonly scopes?: readonly Scope[];
  readonly ownerId?: number | null;
  /** The only skill of that namespace it is for. */
  readonly skill?: string | null;
  readonly provenance?: Provenance | null;
  /** The token it was made with, and with which it is revoked. */
  readonly parent?: string | null;
  readonly expiresAt?: Date | null;
}

/** Stores a new token; the secret is returned once. */
export async function createToken(
  tx: Queryable,
  {
    accountId,
    name,
    scopes = Scope.options,
    ownerId = null,
    skill = null,
    provenance = null,
    parent = null,
    expiresAt = null,
  }: NewToken,
): Promise<{ readonly id: string; readonly token: string }> {
  const token = newTokenSecret();
  const id = randomUUID();
  await tx.query(
    `insert into tokens (id, account_id, name, prefix, hash, scopes, owner_id, skill, provenance, parent, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11)`,
    [
      id,
      accountId,
      name,
      token.slice(0, TOKEN_PREFIX.length + 4),
      hashSecret(token),
      scopes,
      ownerId,
      skill,
      provenance === null ? null : json(provenance),
      parent,
      expiresAt,
    ],
  );
  return { id, token };
}

/** Revokes tokens with everything made with them: other tokens, and the sessions they opened. */
export async function revokeTokens(tx: Queryable, ids: readonly string[], now: Date): Promise<number> {
  const revoked = await tx.query<{ id: string }>(
    `with recursive family as (
       select id from tokens where id = any($1::text[])
       union select t.id from tokens t join family f on t.parent = f.id
     )
     update tokens set revoked_at = $2 where id in (select id from family) and revoked_at is null returning id`,
    [ids, now],
  );
  await tx.query('delete from sessions where token_id = any($1::text[])', [revoked.map(({ id }) => id)]);
  return revoked.length;
}
