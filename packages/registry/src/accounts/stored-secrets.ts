// Secrets in the database: tokens, sessions, invitations, device logins, sign-ins under way. Only their hashes are stored.

import { randomUUID } from 'node:crypto';
import { type Provenance, Scope } from 'skillwright/registry-protocol';
import { type Account, anonymous, type Caller } from '../access/index.ts';
import { hashSecret, newTokenSecret, TOKEN_PREFIX } from '../base/index.ts';
import type { Registry } from '../registry.ts';
import { json, type Queryable } from '../store/index.ts';

/** Purpose of a secret. `identity`: the identity token of a CI job, which works once. */
type SecretKind = 'token' | 'session' | 'invitation' | 'device' | 'attempt' | 'identity';

/** A secret to store. */
interface NewSecret {
  readonly kind: SecretKind;
  readonly hash: Uint8Array;
  /** The account that acts with it, or that made it. */
  readonly accountId?: number | null;
  /** The only namespace it is for. */
  readonly ownerId?: number | null;
  readonly scopes?: readonly Scope[] | null;
  /** The secret it was made with, and with which it ends. */
  readonly parent?: string | null;
  /** Values that only its kind needs. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** When it is made; by default now, by the clock of the database. */
  readonly now?: Date;
  readonly expiresAt?: Date | null;
}

/** Stores a secret and returns its id; undefined when a secret of this kind with this hash is stored already. */
export async function storeSecret(
  tx: Queryable,
  { kind, hash, accountId, ownerId, scopes, parent, details = {}, now, expiresAt }: NewSecret,
): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(
    `insert into secrets (id, kind, hash, account_id, owner_id, scopes, parent, details, created_at, used_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, coalesce($9::timestamptz, now()),
       case when $2 = 'session' then $9::timestamptz end, $10)
     on conflict (hash, kind) do nothing returning id`,
    [
      randomUUID(),
      kind,
      hash,
      accountId ?? null,
      ownerId ?? null,
      scopes ?? null,
      parent ?? null,
      json(details),
      now ?? null,
      expiresAt ?? null,
    ],
  );
  return row?.id;
}

/** SQL condition: the secret in the table with this alias works at a time, which is a parameter such as `$2`. */
export function works(alias: string, now: string): string {
  return `${alias}.ended_at is null and (${alias}.expires_at is null or ${alias}.expires_at > ${now})`;
}

/** Deletes the secrets of a kind that expired before a time. */
export async function forgetExpired(tx: Queryable, kind: SecretKind, before: Date): Promise<void> {
  await tx.query('delete from secrets where kind = $1 and expires_at <= $2', [kind, before]);
}

/** Sessions that were used last before this time have ended. */
export function idleSince({ now, settings }: Registry): Date {
  return new Date(now().getTime() - settings.sessionIdleHours * 3_600_000);
}

/** An account that acts by itself while its session is not there yet. */
export function asPerson(account: Account): Caller {
  return { ...anonymous, via: 'session', account, scopes: new Set() };
}

/** A token to make. */
export interface NewToken extends Omit<NewSecret, 'kind' | 'hash' | 'details' | 'accountId'> {
  readonly accountId: number;
  readonly name: string;
  /** The only skill of that namespace it is for. */
  readonly skill?: string | null;
  readonly provenance?: Provenance | null;
  /** The account that started the CI job. */
  readonly startedBy?: number | null;
}

/** Stores a new token; the secret is returned once. */
export async function createToken(
  tx: Queryable,
  { name, scopes = Scope.options, skill = null, provenance = null, startedBy = null, ...rest }: NewToken,
): Promise<{ readonly id: string; readonly token: string }> {
  const token = newTokenSecret();
  const prefix = token.slice(0, TOKEN_PREFIX.length + 4);
  const id = await storeSecret(tx, {
    kind: 'token',
    hash: hashSecret(token),
    scopes,
    details: { name, prefix, skill, provenance, startedBy },
    ...rest,
  });
  return { id: id!, token };
}

/** Revokes tokens with everything made with them: other tokens, and the sessions they opened. */
export async function revokeTokens(tx: Queryable, ids: readonly string[], now: Date): Promise<number> {
  const revoked = await tx.query<{ id: string }>(
    `with recursive family as (
       select id from secrets where kind = 'token' and id = any($1::text[])
       union select s.id from secrets s join family f on s.parent = f.id where s.kind = 'token'
     )
     update secrets set ended_at = $2 where id in (select id from family) and ended_at is null returning id`,
    [ids, now],
  );
  await tx.query(`delete from secrets where kind = 'session' and parent = any($1::text[])`, [
    revoked.map(({ id }) => id),
  ]);
  return revoked.length;
}
