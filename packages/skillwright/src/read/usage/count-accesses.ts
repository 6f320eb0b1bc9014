// Counts the accesses of a log in steps, so that a process that keeps the numbers reads every row once and is never
// busy for long.

import type { DatabaseSync } from 'node:sqlite';
import { type LogOwner, readLog } from './access-log.ts';
import type { UsageRow } from './usage-group.ts';
import { countQuery } from './usage-queries.ts';

/** Rows counted in one step. */
const STEP = 20_000;

/** Numbers of one skill on one day, as the statistics have them. */
export type DayCount = UsageRow<'days'> & {
  /** Directory of the skill. */
  readonly path: string;
  /** Searches that found nothing. */
  readonly zero_results: number;
  /** Time of the last access other than a build. */
  readonly last_access: string | null;
};

/** How far a log is counted. */
export interface CountedUpTo {
  /** Ids of the first row and of the last one counted; 0 for none. */
  readonly first: number;
  readonly last: number;
}

/** One step. */
interface CountedAccesses extends CountedUpTo {
  /** Numbers of the rows of this step. */
  readonly counts: readonly DayCount[];
  /** True when rows counted before are gone: these numbers replace all earlier ones. */
  readonly isNew: boolean;
  /** True when rows are left for the next step. */
  readonly hasMore: boolean;
}

/**
 * Counts the next rows of a log. `tokens` says how large a skill is as a whole, by its directory. Without a log there is
 * nothing to count. E015 when the log cannot be read.
 */
export function countAccesses(
  owner: LogOwner,
  { after, tokens }: { after: CountedUpTo; tokens: (path: string) => number },
): CountedAccesses {
  const none = { first: 0, last: 0, counts: [], hasMore: false };
  return (
    readLog(owner, (database) => countNext(database, after, tokens)) ?? {
      ...none,
      isNew: after.last > 0,
    }
  );
}

function countNext(
  database: DatabaseSync,
  after: CountedUpTo,
  tokens: (path: string) => number,
): CountedAccesses {
  const ends = database
    .prepare('SELECT coalesce(min(id), 0) AS first, coalesce(max(id), 0) AS last FROM access_log')
    .get();
  const [first, newest] = [Number(ends?.first), Number(ends?.last)];
  // Old rows were deleted, and ids may be used again.
  const isNew = after.last > 0 && (first !== after.first || newest < after.last);
  const from = isNew ? 0 : after.last;
  const row = database
    .prepare('SELECT max(id) AS last FROM (SELECT id FROM access_log WHERE id > ? ORDER BY id LIMIT ?)')
    .get(from, STEP);
  const last = Number(row?.last ?? from);
  const paths = database
    .prepare('SELECT DISTINCT skill_path AS path FROM access_log WHERE id > ? AND id <= ?')
    .all(from, last)
    .map(({ path }) => String(path));
  const count = database.prepare(countQuery);
  const counts = paths.flatMap((path) =>
    count.all(tokens(path), path, from, last).map((row) => ({ ...row }) as unknown as DayCount),
  );
  return { first, last, counts, isNew, hasMore: last < newest };
}
