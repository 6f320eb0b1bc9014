// Work of the operations that the protocol declares, and the one way to make a change: its statements, its rows of the audit log
// and its leaves of the transparency log commit together or not at all.

import type { Context } from 'hono';
import type {
  OperationAnswer,
  OperationBody,
  OperationId,
  OperationQuery,
  PathPart,
} from 'skillwright/registry-protocol';
import { type Caller, type Deed, recordAll } from '../access/index.ts';
import { appendLeaves, type NewLeaf } from '../log/index.ts';
import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/index.ts';

/** Somebody who does something at a registry. */
export interface Act {
  readonly registry: Registry;
  readonly caller: Caller;
}

/** Checked input of a handler. */
export interface OperationCall<Query = unknown, Body = unknown> extends Act {
  /** Parts of the path, by name, checked. `owner` is without `@`. */
  readonly path: Readonly<Record<PathPart, string>>;
  readonly query: Query;
  readonly body: Body;
  /** For headers, conditional requests and bodies that are not JSON. */
  readonly context: Context;
}

/** A handler whose answer has no content may return anything. */
type Answered<Answer> = [Answer] extends [undefined] ? unknown : Response | Answer;

/** The handlers of operations, by id. */
export type Handlers<Id extends OperationId = OperationId> = {
  readonly [One in Id]: (
    call: OperationCall<OperationQuery<One>, OperationBody<One>>,
  ) => Promise<Answered<OperationAnswer<One>>>;
};

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
