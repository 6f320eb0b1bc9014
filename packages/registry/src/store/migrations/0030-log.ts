import type { Migration } from './index.ts';

/** The transparency log: its origins, leaves, hashes of complete subtrees, signed checkpoints and cosignatures. */
export const log: Migration = {
  name: '0030-log',
  statements: [
    // The open origin's row is the lock that puts leaves in order.
    `create table log_origins (
      generation bigint primary key,
      name text not null,
      origin text not null unique,
      size bigint not null default 0,
      started_at timestamptz not null default now(),
      closed_at timestamptz
    )`,
    'create unique index log_open_origin on log_origins ((true)) where closed_at is null',
    `create table log_leaves (
      generation bigint not null references log_origins,
      index bigint not null,
      kind text not null,
      leaf bytea not null,
      entry text not null,
      salt bytea,
      skill_id bigint,
      version_id bigint,
      logged_at timestamptz not null default now(),
      primary key (generation, index)
    )`,
    'create index log_leaves_by_skill on log_leaves (skill_id, generation, index)',
    'create index log_leaves_by_version on log_leaves (version_id, generation, index)',
    `create table log_hashes (
      generation bigint not null references log_origins,
      level int not null,
      index bigint not null,
      hash bytea not null,
      primary key (generation, level, index)
    )`,
    `create table log_checkpoints (
      generation bigint not null references log_origins,
      size bigint not null,
      root bytea not null,
      note text not null,
      signed_at timestamptz not null default now(),
      primary key (generation, size)
    )`,
    `create table log_cosignatures (
      generation bigint not null,
      size bigint not null,
      witness text not null,
      line text not null,
      cosigned_at timestamptz not null,
      primary key (generation, size, witness),
      foreign key (generation, size) references log_checkpoints
    )`,
  ],
};
