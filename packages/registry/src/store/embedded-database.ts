// A database over one embedded engine: whole transactions take turns.

import type { PGlite } from '@electric-sql/pglite';
import { type Database, DatabaseUnavailable, retryTransaction } from './database.ts';
import { type Connection, createTransactionScope, runTransaction } from './run-transaction.ts';

/** An embedded database. */
export interface EmbeddedDatabase extends Database {
  readonly kind: 'embedded';
  /** Runs the work while no statement and no transaction is under way. */
  pause<Result>(work: (engine: Engine) => Promise<Result>): Promise<Result>;
}

/** Makes a database of an engine. A statement may take `statementTimeout` milliseconds. */
export function embeddedDatabase(
  engine: Engine,
  { statementTimeout }: { readonly statementTimeout: number },
): EmbeddedDatabase {
  const turns = createTurns();
  const scope = createTransactionScope();
  let isClosed = false;

  const takeTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    scope.demandOutside();
    return turns(async () => {
      if (isClosed) throw new DatabaseUnavailable('the database is closed');
      return work();
    });
  };
  const connection = (limit = statementTimeout): Connection => ({
    query: async <Row>(sql: string, parameters: readonly unknown[] = []) =>
      (await engine.query(sql, parameters, limit)) as Row[],
    run: (sql) => engine.run(sql, limit),
  });

  return {
    kind: 'embedded',
    query: async (sql, parameters) => takeTurn(() => connection().query(sql, parameters)),
    transaction: (work, { statementTimeout: limit } = {}) =>
      retryTransaction(async () => takeTurn(() => runTransaction(connection(limit), work, { scope }))),
    snapshot: async (work) =>
      takeTurn(() => runTransaction(connection(0), work, { scope, isSnapshot: true })),
    run: async (sql) =>
      takeTurn(() => {
        const own = connection(0);
        return runTransaction(own, () => own.run(sql), { scope });
      }),
    pause: async (work) => takeTurn(() => work(engine)),
    close: async () => {
      if (isClosed) return;
      scope.demandOutside();
      await turns(async () => {
        isClosed = true;
        await engine.close();
      });
    },
  };
}

/** Runs each piece of work when the one before has ended. */
type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A queue of its own. */
function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}

/** Runs statements one at a time. `limit` is the milliseconds a statement may take; 0 means no limit. */
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
