import type { Migration } from './index.ts';

/** Scans after the first, ratings, reports, advisories, webhooks. */
export const moderation: Migration = {
  name: '0060-moderation',
  statements: [
    // The next moment a version becomes old enough for `latest`.
    'alter table skills add column settle_at timestamptz',
    'create index skills_to_settle on skills (settle_at) where settle_at is not null',
    // Why a reviewer should look at a published version again.
    'alter table versions add column flagged text',
    // Headings and text for search, from the version itself.
    `alter table versions add column search_text jsonb not null default '{}'`,
    // The version whose description the skill shows.
    'alter table skills add column shown text',
    `create index versions_to_review on versions (id) where review = 'pending' or flagged is not null`,
    `create table scans (
      id bigint generated always as identity primary key,
      version_id bigint not null references versions,
      result jsonb not null,
      account_id bigint references accounts,
      at timestamptz not null default now()
    )`,
    'create index scans_by_version on scans (version_id, id)',
    `create table ratings (
      skill_id bigint not null references skills,
      account_id bigint not null references accounts,
      stars smallint not null check (stars between 1 and 5),
      at timestamptz not null default now(),
      primary key (skill_id, account_id)
    )`,
    `create table reports (
      id text primary key,
      skill_id bigint not null references skills,
      version text,
      account_id bigint not null references accounts,
      kind text not null,
      message text not null,
      at timestamptz not null default now(),
      resolution text,
      resolved_by bigint references accounts,
      resolved_at timestamptz
    )`,
    'create index reports_by_skill on reports (skill_id)',
    'create index reports_open on reports (at) where resolved_at is null',
    'create table advisory_years (year integer primary key, last integer not null)',
    `create table advisories (
      id text primary key,
      skill_id bigint not null references skills,
      severity text not null,
      summary text not null,
      affected text not null,
      url text,
      account_id bigint references accounts,
      at timestamptz not null default now(),
      withdrawn_at timestamptz
    )`,
    'create index advisories_by_skill on advisories (skill_id)',
    `create table webhooks (
      id text primary key,
      owner_id bigint not null references owners,
      url text not null,
      secret text not null,
      failures integer not null default 0,
      disabled text,
      account_id bigint references accounts,
      created_at timestamptz not null default now()
    )`,
    'create index webhooks_by_owner on webhooks (owner_id)',
    `create table deliveries (
      id bigint generated always as identity primary key,
      webhook_id text not null references webhooks on delete cascade,
      audit_id bigint not null references audit,
      attempts integer not null default 0,
      next_at timestamptz not null default now(),
      delivered_at timestamptz,
      error text
    )`,
    'create index deliveries_due on deliveries (next_at) where delivered_at is null',
    'create index deliveries_by_webhook on deliveries (webhook_id, id)',
  ],
};
