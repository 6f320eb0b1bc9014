// Changes of the rows that searches remember. Triggers write one row of `search_changes` in the transaction of each change.
//
// A reader keeps the snapshot in which it last looked, and asks for the rows whose transaction that snapshot does not contain.
// This is PostgreSQL's own rule of visibility, so the order of commits does not matter: a transaction that began early and
// commits late is missing from every snapshot taken before its commit, and the first look after it reports it, whatever was
// reported in between. The rows and the next snapshot come from one statement, which sees one state: nothing falls between two
// looks, and nothing is reported twice.
// A replica's snapshot does not list the transactions that were running: there the next look starts at the oldest of them, and
// reports some changes twice.
// Pruning moves the horizon in its own transaction. Transactions older than the oldest one running at a snapshot are all part
// of it; a reader whose snapshot cannot promise that for the horizon may have missed changes, and forgets everything.

import type { Database, Queryable } from '../store/index.ts';

/** Rows that a transaction changed. */
export interface SearchChange {
  /** Skills whose summaries changed. */
  readonly skills: readonly number[];
  /** Terms whose lists changed. */
  readonly terms: readonly number[];
  /** Names that were added, removed, or moved to another scope. */
  readonly names: readonly string[];
  /** Whether values that filters look at changed. */
  readonly isFilter: boolean;
}

/** Reading more changes than this costs more than reading the rows again. */
const MAX_READ = 100;
/** Changes kept for processes that do not search often. */
const MAX_KEPT = 1000;

type Row = SearchChange & { readonly isEverything: boolean };

/** The changes that a snapshot does not contain. Undefined when they are unknown, as without a snapshot, or too many: nothing that was remembered counts. */
export async function readChanges(database: Queryable, since: string | undefined) {
  const [row] = await database.query<{ snapshot: string; isLate: boolean | null; changes: Row[] | null }>(
    `select case when pg_is_in_recovery() then s.oldest || ':' || s.oldest || ':' else s.snapshot::text end as snapshot,
       (select h.pruned >= pg_snapshot_xmin($1::text::pg_snapshot) from search_horizon h) as "isLate",
       (select jsonb_agg(jsonb_build_object('skills', c.skills, 'terms', c.terms, 'names', c.names,
           'isFilter', c.is_filter, 'isEverything', c.is_everything))
        from (select * from search_changes
          where xact >= pg_snapshot_xmin($1::text::pg_snapshot)
            and not pg_visible_in_snapshot(xact, $1::text::pg_snapshot) limit ${MAX_READ + 1}) as c) as changes
     from (select pg_current_snapshot() as snapshot, pg_snapshot_xmin(pg_current_snapshot()) as oldest) as s`,
    [since ?? null],
  );
  const { snapshot, isLate, changes } = row!;
  const found = changes ?? [];
  const isUnknown =
    since === undefined ||
    isLate === true ||
    found.length > MAX_READ ||
    found.some(({ isEverything }) => isEverything);
  return { snapshot, changes: isUnknown ? undefined : found };
}

/** Makes every process forget what it remembers, after the transaction. */
export async function noteEverything(tx: Queryable): Promise<void> {
  await tx.query('insert into search_changes (is_everything) values (true)');
}

/** Deletes all but the latest changes, and rows that a copy from another server brought along. */
export async function pruneChanges(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(
      `with gone as (
         delete from search_changes where xact >= pg_snapshot_xmax(pg_current_snapshot())
           or (xact < pg_snapshot_xmin(pg_current_snapshot())
             and xact < (select xact from search_changes order by xact desc offset ${MAX_KEPT - 1} limit 1))
         returning xact
       )
       insert into search_horizon (pruned) select xact from gone
       where xact < pg_snapshot_xmin(pg_current_snapshot()) order by xact desc limit 1
       on conflict (is_only) do update set pruned = greatest(search_horizon.pruned, excluded.pruned)`,
    );
    await tx.query('delete from search_horizon where pruned >= pg_snapshot_xmax(pg_current_snapshot())');
  });
}
