import type { Migration } from './index.ts';

/** Repositories and sites that are kept in sync as versions of a namespace. */
export const mirrors: Migration = {
  name: '0080-mirrors',
  statements: [
    `create table mirrors (
      id bigint generated always as identity primary key,
      owner_id bigint not null references owners,
      source text not null,
      every_minutes bigint not null default 60,
      added_by bigint not null references accounts,
      added_at timestamptz not null default now(),
      due_at timestamptz not null default now(),
      synced_at timestamptz,
      resolution text,
      failure text,
      notes jsonb not null default '[]',
      unique (owner_id, source)
    )`,
    'create index mirrors_due on mirrors (due_at)',
    `create table mirrored (
      mirror_id bigint not null references mirrors on delete cascade,
      name text not null,
      content text not null,
      version text not null,
      primary key (mirror_id, name)
    )`,
  ],
};
