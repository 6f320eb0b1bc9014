// Counts the accesses of a log in steps, so that a process that keeps the numbers reads every row once and is never
// busy for long.

import type { DatabaseSync } from 'node:sqlite';
import { type LogOwner, readLog } from './log-file.ts';
import { countQuery } from './usage-queries.ts';

/** Rows counted in one step. */
const STEP = 20_000;

/** Numbers of one skill on one day. */
export interface DayCount {
  /** Directory of the skill. */
  readonly path: string;
  /** In UTC. */
  readonly day: string;
  readonly accesses: number;
  readonly errors: number;
  readonly tokensServed: number;
  readonly tokensSaved: number;
  /** Searches that found nothing. */
  readonly emptySearches: number;
  /** Time of the last access other than a build. */
  readonly lastUsed: string | null;
}

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
  { after, tokens, since }: { after: CountedUpTo; tokens: (path: string) => number; since?: string },
): CountedAccesses {
  const none = { first: 0, last: 0, counts: [], hasMore: false };
  return (
    readLog(owner, (database) => countNext(database, after, { tokens, since: since ?? '' })) ?? {
      ...none,
      isNew: after.last > 0,
    }
  );
}

function countNext(
  database: DatabaseSync,
  after: CountedUpTo,
  { tokens, since }: { tokens: (path: string) => number; since: string },
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
    count.all(tokens(path), from, last, path, since).map((counted): DayCount => {
      const { day, accesses, errors, served, saved, empty, last_used } = counted;
      return {
        path,
        day: String(day),
        accesses: Number(accesses),
        errors: Number(errors),
        tokensServed: Number(served),
        tokensSaved: Number(saved),
        emptySearches: Number(empty),
        lastUsed: last_used === null ? null : String(last_used),
      };
    }),
  );
  return { first, last, counts, isNew, hasMore: last < newest };
}
