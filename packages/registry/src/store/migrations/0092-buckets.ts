import type { Migration } from './index.ts';

/** Requests are counted as in the memory of a process: a bucket that empties evenly. Wrong codes are counted there too. */
export const buckets: Migration = {
  name: '0092-buckets',
  statements: [
    'alter table request_counts alter column count type float8, add column is_refused boolean not null default false',
    'drop table failed_attempts',
  ],
};
