// A change: its statements, its rows of the audit log and its leaves of the transparency log commit together or not at all.

import { type Caller, type Deed, recordAll } from '../access/index.ts';
import { appendLeaves, type NewLeaf } from '../log/index.ts';
import type { Queryable } from '../store/index.ts';
import type { Act } from './operation.ts';

/** A change under way. */
export interface Change extends Act {
  readonly tx: Queryable;
  /** Notes a deed for the audit log; `by` somebody else than the caller where another account acts. */
  note(action: string, facts?: Omit<Deed, 'action'>, by?: Caller): void;
  /** Notes a leaf for the transparency log. */
  log(leaf: NewLeaf): void;
}

/** Makes a change. Rows and leaves are written last: others who append to the log wait until the transaction ends. */
export function change<Result>(
  { registry, caller }: Act,
  work: (change: Change) => Promise<Result>,
): Promise<Result> {
  return registry.database.transaction(async (tx) => {
    const deeds: { deed: Deed; by: Caller }[] = [];
    const leaves: NewLeaf[] = [];
    const result = await work({
      registry,
      caller,
      tx,
      note: (action, facts, by = caller) => void deeds.push({ deed: { action, ...facts }, by }),
      log: (leaf) => void leaves.push(leaf),
    });
    for (const [by, own] of Map.groupBy(deeds, (one) => one.by))
      await recordAll(
        tx,
        by,
        own.map(({ deed }) => deed),
      );
    if (leaves.length > 0) await appendLeaves(tx, registry, leaves);
    return result;
  });
}
