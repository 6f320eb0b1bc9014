// The zod schemas of fields that are declared as plain data.

import * as z from 'zod';
import { author as authorField, type Field, type Fields } from './fields.ts';

/** The schema of an input. */
export function inputSchema(fields: Fields): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)])),
  );
}

function fieldSchema(field: Field): z.ZodType {
  const one = scalarSchema(field);
  const all = field.list ? z.array(one).min(1) : one;
  const whole = field.optional
    ? all.optional()
    : field.default === undefined
      ? all
      : all.default(field.default);
  return whole.describe(field.about);
}

function scalarSchema({ type, positive, min, max, pattern, check }: Field): z.ZodType {
  if (type === 'boolean') return z.boolean();
  const plain = type === 'string' ? z.string() : z.number().int();
  const least = min === undefined ? plain : plain.min(min);
  const most = max === undefined ? least : least.max(max);
  if (most instanceof z.ZodNumber) return positive ? most.positive() : most;
  const shaped = pattern === undefined ? most : most.regex(pattern.expression, pattern.otherwise);
  return check === undefined ? shaped : shaped.refine(check.accepts, check.otherwise);
}

/** `--author` in a schema. */
export const author = fieldSchema(authorField) as z.ZodDefault<z.ZodBoolean>;
