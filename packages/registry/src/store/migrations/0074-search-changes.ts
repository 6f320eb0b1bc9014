import type { Migration } from './index.ts';

/**
 * Changes of the rows that processes remember for search. `search-changes.ts` reads them and says why no change is missed;
 * the triggers of `0090-search-triggers` write them.
 */
export const searchChanges: Migration = {
  name: '0074-search-changes',
  statements: [
    `create table search_changes (
      xact xid8 not null default pg_current_xact_id(),
      skills bigint[] not null default '{}',
      terms integer[] not null default '{}',
      names text[] not null default '{}',
      is_filter boolean not null default false,
      is_everything boolean not null default false
    )`,
    'create index search_changes_by_xact on search_changes (xact)',
    // The last transaction whose changes were deleted.
    `create table search_horizon (is_only boolean primary key default true check (is_only), pruned xid8 not null)`,
  ],
};
