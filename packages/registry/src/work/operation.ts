// Work of the operations that the protocol declares. A handler gets checked input, and returns the answer of its operation.

import type { Context } from 'hono';
import type {
  OperationAnswer,
  OperationBody,
  OperationId,
  OperationQuery,
  PathPart,
} from 'skillwright/registry-protocol';
import type { Caller } from '../access/index.ts';
import type { Registry } from '../registry.ts';

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
