// The protocol as JSON Schema, for clients in any language.

import * as z from 'zod';
import type { AnyRpcMethod } from './define-method.ts';
import { type RpcMethodName, rpcMethods } from './rpc-methods.ts';

/** One method. */
export interface RpcMethodSchema {
  readonly summary: string;
  /** JSON Schema of `params`. */
  readonly params: Record<string, unknown>;
  /** JSON Schema of `result`. */
  readonly result: Record<string, unknown>;
}

/** Every method with the schemas of what goes in and what comes out. */
export function rpcSchemas(): Record<RpcMethodName, RpcMethodSchema> {
  const rows = Object.entries<AnyRpcMethod>(rpcMethods).map(([name, { summary, params, result }]) => [
    name,
    { summary, params: schemaOf(params, 'input'), result: schemaOf(result, 'output') },
  ]);
  return Object.fromEntries(rows);
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      // Bounds of the number format, not of the protocol.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      // Answers may have more fields one day; clients pass over what they do not know.
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  return described;
}
