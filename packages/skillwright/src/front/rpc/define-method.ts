// What a method of the protocol is: declared once, and answers, schemas and documentation are made from that.

import type * as z from 'zod';
import type { Connection } from './connection.ts';

/** A value that is only read, all the way down. */
type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** The declaration of one method. */
export interface RpcMethod<
  Params extends z.ZodObject = z.ZodObject,
  Result extends z.ZodObject = z.ZodObject,
> {
  /** One line without a full stop. */
  readonly summary: string;
  readonly params: Params;
  readonly result: Result;
  /** Throws a SkillwrightError for what a client can cause, an RpcError for what is against the protocol. */
  run(params: z.output<Params>, connection: Connection): Promise<Frozen<z.output<Result>>>;
}

/** A declaration whose types have been forgotten, as the server handles it. */
// biome-ignore lint/suspicious/noExplicitAny: params and result differ from row to row of the table
export type AnyRpcMethod = RpcMethod<any, any>;

/** Declares a method; exists for type inference alone. */
export function defineMethod<Params extends z.ZodObject, Result extends z.ZodObject>(
  method: RpcMethod<Params, Result>,
): RpcMethod<Params, Result> {
  return method;
}
