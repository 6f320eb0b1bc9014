// Tokens: made, found by their hash, revoked. Only the hash is stored.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Scope } from 'skillwright/registry-protocol';
import type { Queryable } from '../store/database.ts';

/** Start of every token, so that scanners for secrets recognise it. */
export const TOKEN_PREFIX = 'skwr_';

/** A new token and the row to store. */
export async function createToken(
  tx: Queryable,
  {
    accountId,
    name,
    scopes = Scope.options,
    ownerId = null,
    expiresAt = null,
  }: {
    readonly accountId: number;
    readonly name: string;
    readonly scopes?: readonly Scope[];
    readonly ownerId?: number | null;
    readonly expiresAt?: Date | null;
  },
): Promise<{ readonly id: string; readonly token: string }> {
  const token = TOKEN_PREFIX + randomBytes(32).toString('base64url');
  const id = randomUUID();
  await tx.query(
    `insert into tokens (id, account_id, name, prefix, hash, scopes, owner_id, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      id,
      accountId,
      name,
      token.slice(0, TOKEN_PREFIX.length + 4),
      hashSecret(token),
      scopes,
      ownerId,
      expiresAt,
    ],
  );
  return { id, token };
}

/** The stored form of a secret with enough randomness. */
export function hashSecret(secret: string): Uint8Array {
  return createHash('sha256').update(secret).digest();
}
