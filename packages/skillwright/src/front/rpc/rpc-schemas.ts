// The protocol as JSON Schema, for clients in any language.

import * as z from 'zod';
import { loadMethods } from './load-methods.ts';

/** One method. */
export const RpcMethodSchema = z.object({
  summary: z.string(),
  params: z.record(z.string(), z.unknown()).describe('A JSON Schema'),
  result: z.record(z.string(), z.unknown()).describe('A JSON Schema'),
});
export type RpcMethodSchema = z.output<typeof RpcMethodSchema>;

/** Every method with the schemas of its params and result. */
export async function rpcSchemas(): Promise<Record<string, RpcMethodSchema>> {
  const rows = [...(await loadMethods())].map(([name, { summary, input, output }]) => [
    name,
    { summary, params: methodSchema(input, 'input'), result: methodSchema(output, 'output') },
  ]);
  return Object.fromEntries(rows);
}

function methodSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema }) {
      // Limits of the number format, not of the protocol.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      // Answers may gain fields; clients ignore unknown ones.
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  return described;
}
