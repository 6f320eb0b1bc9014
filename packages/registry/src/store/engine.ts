// An embedded PostgreSQL with its one connection, in this thread or in another.

import type { PGlite } from '@electric-sql/pglite';

/** Runs statements one at a time. `limit` is the milliseconds a statement may take; 0 is no limit. */
export interface Engine {
  query(sql: string, parameters: readonly unknown[], limit: number): Promise<unknown[]>;
  /** Statements without parameters and results. */
  run(sql: string, limit: number): Promise<void>;
  /** Writes everything to its place, so that the next start has nothing to repair. */
  close(): Promise<void>;
}

/** The engine in this thread. It cannot stop a statement: limits do not count. */
export function engineOver(postgres: PGlite): Engine {
  return {
    query: async (sql, parameters) => (await postgres.query(sql, [...parameters])).rows,
    run: async (sql) => {
      await postgres.exec(sql);
    },
    close: async () => {
      if (postgres.closed) return;
      await postgres.exec('checkpoint');
      await postgres.close();
    },
  };
}
