import type { Migration } from './index.ts';

/** Accounts, namespaces, roles, tokens, the audit log. */
export const accounts: Migration = {
  name: '0010-accounts',
  statements: [
    'create table settings (key text primary key, value jsonb not null)',
    `create table accounts (
      id bigint generated always as identity primary key,
      name text not null unique,
      display_name text not null default '',
      email text,
      is_admin boolean not null default false,
      suspended text,
      created_at timestamptz not null default now()
    )`,
    `create table owners (
      id bigint generated always as identity primary key,
      name text not null unique,
      skeleton text not null unique,
      title text not null default '',
      url text,
      created_at timestamptz not null default now()
    )`,
    `create table roles (
      owner_id bigint not null references owners,
      account_id bigint not null references accounts,
      role text not null check (role in ('reader', 'publisher', 'reviewer', 'admin')),
      primary key (owner_id, account_id, role)
    )`,
    'create index roles_by_account on roles (account_id)',
    `create table tokens (
      id text primary key,
      account_id bigint not null references accounts,
      name text not null,
      prefix text not null,
      hash bytea not null unique,
      scopes text[] not null,
      owner_id bigint references owners,
      provenance jsonb,
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      used_at timestamptz,
      revoked_at timestamptz
    )`,
    'create index tokens_by_account on tokens (account_id)',
    `create table audit (
      id bigint generated always as identity primary key,
      at timestamptz not null default now(),
      account_id bigint references accounts,
      actor text not null,
      via text not null,
      action text not null,
      owner_id bigint references owners,
      skill_id bigint,
      version text,
      details jsonb not null default '{}'
    )`,
    'create index audit_by_account on audit (account_id, id)',
    'create index audit_by_owner on audit (owner_id, id)',
    'create index audit_by_skill on audit (skill_id, id)',
  ],
};
