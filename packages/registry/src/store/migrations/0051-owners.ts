import type { Migration } from './index.ts';

/** Transfers of namespaces, trusted publishers, identity tokens that were used. */
export const ownership: Migration = {
  name: '0051-owners',
  statements: [
    `create table transfers (
      id text primary key,
      owner_id bigint not null references owners,
      from_account bigint not null references accounts,
      to_account bigint not null references accounts,
      state text not null default 'pending' check (state in ('pending', 'accepted', 'declined', 'replaced')),
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`,
    `create unique index transfers_pending on transfers (owner_id) where state = 'pending'`,
    'create index transfers_by_recipient on transfers (to_account)',
    `create table publishers (
      id text primary key,
      owner_id bigint not null references owners,
      skill text not null,
      issuer text not null,
      repository text not null,
      repository_owner_id text,
      workflow text,
      environment text,
      created_by bigint not null references accounts,
      created_at timestamptz not null,
      used_at timestamptz
    )`,
    'create index publishers_by_owner on publishers (owner_id)',
    'create index publishers_by_repository on publishers (issuer, lower(repository))',
    `create table used_identity_tokens (
      hash bytea primary key,
      expires_at timestamptz not null
    )`,
    'create index used_identity_tokens_by_expiry on used_identity_tokens (expires_at)',
  ],
};
