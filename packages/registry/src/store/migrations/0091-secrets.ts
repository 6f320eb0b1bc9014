import type { Migration } from './index.ts';

/**
 * One table for everything that somebody proves with a secret: tokens, sessions, invitations, device logins, sign-ins under
 * way, and identity tokens that were used. It has the hash of the secret, whose it is, what it was made with and how long it
 * works; `details` has what only one kind needs.
 */
export const secrets: Migration = {
  name: '0091-secrets',
  statements: [
    `create table secrets (
      id text primary key,
      kind text not null check (kind in ('token', 'session', 'invitation', 'device', 'attempt', 'identity')),
      hash bytea not null,
      account_id bigint references accounts,
      owner_id bigint references owners,
      scopes text[],
      parent text references secrets on delete cascade,
      details jsonb not null default '{}',
      created_at timestamptz not null default now(),
      used_at timestamptz,
      expires_at timestamptz,
      ended_at timestamptz,
      unique (hash, kind)
    )`,
    `insert into secrets (id, kind, hash, account_id, owner_id, scopes, parent, details, created_at, used_at, expires_at, ended_at)
      select id, 'token', hash, account_id, owner_id, scopes, parent,
        jsonb_build_object('name', name, 'prefix', prefix, 'skill', skill, 'provenance', provenance),
        created_at, used_at, expires_at, revoked_at from tokens`,
    `insert into secrets (id, kind, hash, account_id, parent, details, created_at, used_at, expires_at)
      select id, 'session', hash, account_id, token_id, jsonb_build_object('agent', agent), created_at, used_at, expires_at
      from sessions`,
    `insert into secrets (id, kind, hash, account_id, details, created_at, expires_at, ended_at)
      select id, 'invitation', hash, created_by, jsonb_build_object('account', account, 'roles', roles),
        created_at, expires_at, used_at from invitations`,
    `insert into secrets (id, kind, hash, account_id, owner_id, scopes, parent, details, created_at, used_at, expires_at, ended_at)
      select gen_random_uuid()::text, 'device', device_hash, account_id, owner_id, scopes, parent,
        jsonb_build_object('user', encode(user_hash, 'hex'), 'client', client, 'state', state, 'wait', wait_seconds),
        created_at, polled_at, expires_at, case when state = 'done' then created_at end from device_logins`,
    `insert into secrets (id, kind, hash, parent, details, expires_at)
      select gen_random_uuid()::text, 'attempt', state_hash, invitation_id,
        jsonb_build_object('browser', encode(browser_hash, 'hex'), 'provider', provider, 'nonce', nonce,
          'verifier', verifier, 'returnTo', return_to), expires_at from sign_in_attempts`,
    `insert into secrets (id, kind, hash, expires_at)
      select gen_random_uuid()::text, 'identity', hash, expires_at from used_identity_tokens`,
    'create index secrets_by_account on secrets (account_id, kind)',
    'create index secrets_by_parent on secrets (parent)',
    'create index secrets_by_expiry on secrets (kind, expires_at)',
    `create unique index secrets_by_user_code on secrets ((details->>'user')) where kind = 'device'`,
    'drop table sign_in_attempts, device_logins, invitations, sessions, tokens, used_identity_tokens',
  ],
};
