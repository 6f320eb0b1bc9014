// The zod schemas of fields that are declared as plain data.

import * as z from 'zod';
import type { Field, Fields } from './fields.ts';

/** The schema of an input. */
export function inputSchema(fields: Fields): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)])),
  );
}

function fieldSchema(field: Field): z.ZodType {
  const one = scalarSchema(field);
  const all = !field.list ? one : field.required ? z.array(one).min(1) : z.array(one);
  const whole = field.required
    ? all
    : field.default === undefined
      ? all.optional()
      : all.default(field.default);
  return whole.describe(field.about);
}

function scalarSchema({ type, values, schema, positive, min, max, pattern, check }: Field): z.ZodType {
  if (schema !== undefined) return schema;
  if (values !== undefined) return z.enum(values);
  if (type === 'boolean') return z.boolean();
  const plain = type === 'string' ? z.string() : type === 'integer' ? z.number().int() : z.number();
  const least = min === undefined ? plain : plain.min(min);
  const most = max === undefined ? least : least.max(max);
  if (most instanceof z.ZodNumber) return positive ? most.positive() : most;
  const shaped = pattern === undefined ? most : most.regex(pattern.expression, pattern.otherwise);
  return check === undefined ? shaped : shaped.refine(check.accepts, check.otherwise);
}
