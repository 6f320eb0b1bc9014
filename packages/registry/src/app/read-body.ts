// Bodies and queries of requests, checked against their schemas.

import type { Context } from 'hono';
import type * as z from 'zod';
import type { Environment } from './create-app.ts';
import { Failure } from './failure.ts';

/** The JSON body of a request. */
export async function readBody<Schema extends z.ZodType>(
  context: Context<Environment>,
  schema: Schema,
): Promise<z.output<Schema>> {
  let body: unknown;
  try {
    body = await context.req.json();
  } catch {
    throw new Failure('bad_request', 'the body must be JSON');
  }
  return check(body, schema);
}

/** The query of a request. */
export function readQuery<Schema extends z.ZodType>(
  context: Context<Environment>,
  schema: Schema,
): z.output<Schema> {
  return check(context.req.query(), schema);
}

function check<Schema extends z.ZodType>(value: unknown, schema: Schema): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const details = error.issues.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(': '),
  );
  throw new Failure('bad_request', 'the request does not have the right form', { details });
}
