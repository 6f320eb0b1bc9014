import type { Migration } from './index.ts';

/** Downloads: who counted today, by a hash that nobody can reverse tomorrow, and the sums of each day. */
export const downloads: Migration = {
  name: '0072-downloads',
  statements: [
    `create table download_salts (day date primary key, salt bytea not null)`,
    `create table download_marks (
      day date not null,
      version_id bigint not null references versions on delete cascade,
      identity bytea not null,
      primary key (day, version_id, identity)
    )`,
    `create table downloads_by_day (
      skill_id bigint not null references skills on delete cascade,
      day date not null,
      count bigint not null,
      primary key (skill_id, day)
    )`,
  ],
};
