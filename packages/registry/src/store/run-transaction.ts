// A transaction on one connection, the same for both drivers.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Queryable } from './database.ts';

/** A connection nobody else uses meanwhile. */
export interface Connection extends Queryable {
  /** Statements without parameters and results. */
  run(sql: string): Promise<void>;
}

/**
 * Commits when the work returns, rolls back when it throws. Work that caught the error of a statement and went on without
 * a savepoint fails too: PostgreSQL would roll back and report success.
 */
export async function runTransaction<Result>(
  connection: Connection,
  work: (tx: Queryable) => Promise<Result>,
  { scope, isSnapshot = false }: { readonly scope: TransactionScope; readonly isSnapshot?: boolean },
): Promise<Result> {
  let isOpen = true;
  let failure: { readonly error: unknown } | undefined;
  const tx: Queryable = {
    async query<Row>(sql: string, parameters?: readonly unknown[]) {
      if (!isOpen) throw new Error('the transaction has ended');
      try {
        const rows = await connection.query<Row>(sql, parameters);
        failure = undefined;
        return rows;
      } catch (error) {
        failure = { error };
        throw error;
      }
    },
  };
  await connection.run(isSnapshot ? 'begin isolation level repeatable read read only' : 'begin');
  try {
    const result = await scope.enter(() => work(tx));
    isOpen = false;
    if (failure !== undefined) throw failure.error;
    await connection.run('commit');
    return result;
  } catch (error) {
    isOpen = false;
    await connection.run('rollback').catch(() => {});
    throw error;
  }
}

/** The transactions of one database. */
interface TransactionScope {
  /** Fails when called from inside a transaction that is still open. */
  demandOutside(): void;
  /** Runs the work of a transaction. */
  enter<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** A scope for one database. */
export function createTransactionScope(): TransactionScope {
  const storage = new AsyncLocalStorage<{ isOpen: boolean }>();
  return {
    demandOutside() {
      if (storage.getStore()?.isOpen === true)
        throw new Error("inside a transaction use the transaction's own query, not the database");
    },
    async enter(work) {
      const state = { isOpen: true };
      try {
        return await storage.run(state, work);
      } finally {
        state.isOpen = false;
      }
    },
  };
}
