// One operation of the API. Routes and the OpenAPI document are made from the same value.

import type { Context } from 'hono';
import type { RegistryErrorCode, Scope } from 'skillwright/registry-protocol';
import type * as z from 'zod';
import type { Caller } from '../access/index.ts';
import type { Environment } from '../http/index.ts';
import type { ReadingOperation } from '../reading/index.ts';
import type { Registry } from '../registry.ts';

type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';

/** Body of a request: JSON that matches a schema, an archive the operation reads itself, or none. */
export type RequestBody = z.ZodType | 'archive' | undefined;

/** Checked input of a handler. */
export interface OperationCall<Query, Body> {
  readonly registry: Registry;
  readonly caller: Caller;
  /** Parts of the path, by name, checked. `owner` is without `@`. */
  readonly path: Readonly<Record<PathPart, string>>;
  readonly query: Query;
  readonly body: Body;
  /** For headers, conditional requests and bodies that are not JSON. */
  readonly context: Context<Environment>;
}

/** Names of the variable parts of paths. */
export type PathPart = 'owner' | 'name' | 'version' | 'digest' | 'id' | 'account' | 'wanted';

/** One operation. */
export interface Operation {
  /** Unique; clients generated from the document use it as a function name. */
  readonly id: string;
  readonly method: Method;
  /** As OpenAPI spells it: `/api/v1/skills/@{owner}/{name}`. */
  readonly path: string;
  readonly summary: string;
  /** The scope a token needs; null when callers without an account may ask. */
  readonly scope: Scope | 'any' | null;
  readonly query?: z.ZodObject | undefined;
  /** Reads the parameters of this operation on a skill itself; the document lists them. */
  readonly parametersOf?: ReadingOperation | undefined;
  readonly body?: RequestBody;
  /** Status of success, and its body: JSON of a schema, bytes of a media type, or none. */
  readonly status: 200 | 201 | 204;
  readonly response: z.ZodType | string | undefined;
  /** Also answers as text, for callers who do not accept JSON. */
  readonly hasText?: true;
  readonly errors: readonly RegistryErrorCode[];
  /** Returns a value for the response's schema, or a whole response. */
  run(call: OperationCall<never, never>): Promise<unknown>;
}

type Parsed<Schema, Otherwise> = Schema extends z.ZodType ? z.output<Schema> : Otherwise;

/** Defines an operation: `run` gets its query and body as the schemas say. */
export function defineOperation<
  Query extends z.ZodObject | undefined = undefined,
  Body extends RequestBody = undefined,
  Answer extends z.ZodType | string | undefined = undefined,
>(
  operation: Omit<Operation, 'query' | 'body' | 'response' | 'run'> & {
    readonly query?: Query;
    readonly body?: Body;
    readonly response: Answer;
    run(
      call: OperationCall<Parsed<Query, Record<string, never>>, Parsed<Body, undefined>>,
    ): Promise<Response | Parsed<Answer, undefined>>;
  },
): Operation {
  return operation as unknown as Operation;
}
