// Counts the accesses of a log in steps, so that a process that keeps the numbers reads every row once and is never
// busy for long.

import type { DatabaseSync } from 'node:sqlite';
import { type LogOwner, readLog } from './access-log.ts';
import { hoursQuery, sessionFilesQuery, sessionsQuery } from './usage-queries.ts';

/** Rows counted in one step. */
const STEP = 20_000;

/** Numbers of one skill in one hour. */
export interface HourCount {
  /** Directory of the skill. */
  readonly path: string;
  /** `2026-01-02T03`, in UTC. */
  readonly hour: string;
  readonly count: number;
  /** Accesses that served text of sections or files. */
  readonly reads: number;
  readonly error_count: number;
  readonly tokens_served: number;
  /** Searches that found nothing. */
  readonly zero_results: number;
  /** Time of the last access other than a build. */
  readonly last_access: string | null;
}

/** The part of a skill that one session received. */
export interface SessionCount {
  readonly path: string;
  readonly run: string;
  /** The hour of its first access in this step. */
  readonly hour: string;
  readonly served: number;
  /** Files it opened. */
  readonly files: readonly string[];
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
  readonly hours: readonly HourCount[];
  readonly sessions: readonly SessionCount[];
  /** True when rows counted before are gone: these numbers replace all earlier ones. */
  readonly isNew: boolean;
  /** True when rows are left for the next step. */
  readonly hasMore: boolean;
}

/** Counts the next rows of a log. Without a log there is nothing to count. E015 when the log cannot be read. */
export function countAccesses(owner: LogOwner, after: CountedUpTo): CountedAccesses {
  const none = { first: 0, last: 0, hours: [], sessions: [], hasMore: false, isNew: after.last > 0 };
  return readLog(owner, (database) => countNext(database, after)) ?? none;
}

function countNext(database: DatabaseSync, after: CountedUpTo): CountedAccesses {
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
  const hours = database.prepare(hoursQuery);
  const sessions = database.prepare(sessionsQuery);
  const files = database.prepare(sessionFilesQuery);
  return {
    ...{ first, last, isNew, hasMore: last < newest },
    hours: paths.flatMap((path) =>
      hours.all(path, from, last).map((row) => ({ ...row }) as unknown as HourCount),
    ),
    sessions: paths.flatMap((path) => {
      const opened = Map.groupBy(files.all(path, from, last), ({ run_id }) => run_id);
      return sessions.all(path, from, last).map(({ run, hour, served }) => ({
        ...{ path, run: String(run), hour: String(hour), served: Number(served) },
        files: (opened.get(run!) ?? []).map(({ file }) => String(file)),
      }));
    }),
  };
}
