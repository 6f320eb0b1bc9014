import type { Migration } from './index.ts';

/** Sessions, identities, invitations, sign-ins that are under way. */
export const signIn: Migration = {
  name: '0050-sign-in',
  statements: [
    // The same folding as nameSkeleton, for names in ASCII.
    `alter table accounts add column skeleton text not null unique
      generated always as (replace(translate(lower(name), 'lio._-', '110'), 'rn', 'm')) stored`,
    'alter table tokens add column skill text',
    'alter table tokens add column parent text references tokens',
    'create index tokens_by_parent on tokens (parent)',
    `create table sessions (
      id text primary key,
      hash bytea not null unique,
      account_id bigint not null references accounts,
      token_id text references tokens,
      agent text not null,
      created_at timestamptz not null,
      used_at timestamptz not null,
      expires_at timestamptz not null
    )`,
    'create index sessions_by_account on sessions (account_id)',
    `create table identities (
      issuer text not null,
      subject text not null,
      account_id bigint not null references accounts,
      created_at timestamptz not null,
      primary key (issuer, subject)
    )`,
    `create table invitations (
      id text primary key,
      hash bytea not null unique,
      account text not null,
      roles jsonb not null,
      created_by bigint not null references accounts,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz
    )`,
    `create table sign_in_attempts (
      state_hash bytea primary key,
      browser_hash bytea not null,
      provider text not null,
      nonce text not null,
      verifier text not null,
      return_to text not null,
      invitation_id text references invitations,
      expires_at timestamptz not null
    )`,
    `create table device_logins (
      device_hash bytea primary key,
      user_hash bytea not null unique,
      client text not null,
      scopes text[] not null,
      state text not null default 'pending' check (state in ('pending', 'approved', 'denied', 'done')),
      account_id bigint references accounts,
      owner_id bigint references owners,
      parent text references tokens,
      wait_seconds integer not null,
      created_at timestamptz not null,
      polled_at timestamptz,
      expires_at timestamptz not null
    )`,
    `create table failed_attempts (
      id text primary key,
      key text not null,
      at timestamptz not null
    )`,
    'create index failed_attempts_by_key on failed_attempts (key, at)',
  ],
};
