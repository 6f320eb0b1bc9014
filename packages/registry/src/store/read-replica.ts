// A streaming replica of the PostgreSQL server, for reads that may be a second old.

import { type Database, DatabaseUnavailable, databaseCode, type Queryable } from './database.ts';

/** Milliseconds between two looks at the replica. */
const INTERVAL = 500;
/** The replica answers as long as it has everything that was committed this many milliseconds ago. */
const MAX_LAG = 2000;
/** The replica removed rows that a statement was reading, or the statement writes. */
const PRIMARY_CODES = new Set(['40001', '25006']);

/** A replica as it was at the last look. */
export type ReadReplica = ReturnType<typeof watchReplica>;

/** Watches a replica of the primary. It may be away at any time, also at the start. */
export function watchReplica(primary: Database, replica: Database) {
  /** Places in the log of the primary, and when it had reached them. */
  let places: { readonly place: string; readonly at: number }[] = [];
  let caughtUpAt = -Infinity;
  let failure: string | undefined = 'it was not reached yet';
  const lag = () => performance.now() - caughtUpAt;
  const whyNot = () =>
    failure ?? (lag() > MAX_LAG ? `it is ${Math.ceil(lag() / 1000)} seconds behind` : undefined);

  const look = async (): Promise<void> => {
    try {
      const at = performance.now();
      const [now] = await primary.query<Place>(`select pg_current_wal_lsn()::text as place, ${SERVER}`);
      places = [...places.filter((seen) => at - seen.at <= MAX_LAG), { place: now!.place, at }];
      const [seen] = await replica.query<Place & { reached: number | null }>(
        `select (select max(p.number) from unnest($1::text[]) with ordinality as p (place, number)
           where p.place::pg_lsn <= pg_last_wal_replay_lsn()) as reached, pg_is_in_recovery() as "isStandby", ${SERVER}`,
        [places.map(({ place }) => place)],
      );
      failure =
        seen!.isStandby && seen!.server === now!.server
          ? undefined
          : 'DATABASE_READ_URL is not a streaming replica of DATABASE_URL';
      const reached = places[(seen!.reached ?? 0) - 1];
      if (reached !== undefined) caughtUpAt = Math.max(caughtUpAt, reached.at);
    } catch (error) {
      failure = (error as Error).message;
    }
  };
  const query: Queryable['query'] = async <Row>(sql: string, parameters?: readonly unknown[]) => {
    if (whyNot() !== undefined) return primary.query<Row>(sql, parameters);
    try {
      return await replica.query<Row>(sql, parameters);
    } catch (error) {
      const isAway = error instanceof DatabaseUnavailable && error.code !== '57014';
      if (isAway) failure = error.message;
      if (isAway || PRIMARY_CODES.has(databaseCode(error) ?? '')) return primary.query<Row>(sql, parameters);
      throw error;
    }
  };

  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, INTERVAL).unref();
  return {
    /** Asks the replica while it is usable, else the primary; transactions always run on the primary. */
    database: { ...primary, query } as Database,
    /** Why the primary answers instead; undefined while the replica is used. */
    whyNot,
    /** Looks at the replica now. */
    look,
    async close() {
      clearInterval(timer);
      await looking;
      await replica.close();
    },
  };
}

interface Place {
  readonly place: string;
  readonly server: string;
  readonly isStandby: boolean;
}

/** A replica has the number of the server it was made from. */
const SERVER = '(select system_identifier::text from pg_control_system()) as server';
