import type { Migration } from './index.ts';

/** Requests counted by all processes together. Unlogged: losing the counts in a crash does no harm. */
export const limits: Migration = {
  name: '0040-limits',
  statements: [
    `create unlogged table request_counts (
      key text primary key,
      started_at timestamptz not null,
      count bigint not null
    )`,
  ],
};
