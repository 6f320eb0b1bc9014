import type { Migration } from './index.ts';

/** Skills, versions, archives. */
export const skills: Migration = {
  name: '0020-skills',
  statements: [
    `create table skills (
      id bigint generated always as identity primary key,
      owner_id bigint not null references owners,
      name text not null,
      skeleton text not null,
      visibility text not null default 'private' check (visibility in ('private', 'public')),
      require_provenance boolean not null default false,
      description text not null default '',
      license text,
      repository text,
      homepage text,
      tags text[] not null default '{}',
      category text,
      level text not null default 'community' check (level in ('community', 'verified', 'official')),
      latest text,
      deprecated text,
      rating_sum bigint not null default 0,
      rating_count bigint not null default 0,
      downloads bigint not null default 0,
      revision bigint not null default 1,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (owner_id, name),
      unique (owner_id, skeleton)
    )`,
    `create table versions (
      id bigint generated always as identity primary key,
      skill_id bigint not null references skills,
      version text not null,
      archive_digest text not null,
      archive_size bigint not null,
      document text not null,
      document_digest text not null,
      manifest jsonb not null,
      review text not null default 'approved' check (review in ('approved', 'pending', 'rejected')),
      review_reason text,
      reviewed_by bigint references accounts,
      reviewed_at timestamptz,
      scan jsonb not null,
      override jsonb,
      yanked text,
      quarantined text,
      purged text,
      provenance jsonb,
      published_by bigint not null references accounts,
      published_at timestamptz not null default now(),
      eligible_at timestamptz not null default now(),
      unique (skill_id, version)
    )`,
    'create index versions_by_archive on versions (archive_digest)',
    `create table blobs (
      digest text primary key,
      bytes bytea not null,
      created_at timestamptz not null default now()
    )`,
  ],
};
