// Finds the mistake of using a database inside one of its own transactions, which would wait for itself.

import { AsyncLocalStorage } from 'node:async_hooks';

/** The transactions of one database. */
export interface TransactionScope {
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
