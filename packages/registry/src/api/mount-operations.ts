// Adds operations to the application: parts of the path, query and body are checked before an operation runs.

import type { Context } from 'hono';
import type * as z from 'zod';
import { notFound } from '../access/index.ts';
import { Failure } from '../base/index.ts';
import { type App, type Environment, readBody } from '../http/index.ts';
import type { Operation, OperationCall, PathPart } from './operation.ts';
import { partsOf, pathParts, routePath } from './path-parts.ts';

const MAX_JSON_BYTES = 256 * 1024;
const JSON_SECONDS = 30;

/** Registers each operation. */
export function mountOperations(app: App, operations: readonly Operation[]): void {
  for (const operation of operations)
    app.on(operation.method, routePath(operation.path), (context) => answer(operation, context));
}

async function answer(operation: Operation, context: Context<Environment>): Promise<Response> {
  const path = readPath(operation, context);
  const query = operation.query === undefined ? {} : check(operation.query, context.req.query(), 'query');
  const { body: schema } = operation;
  const body =
    schema === undefined || schema === 'archive' ? undefined : check(schema, await readJson(context), 'body');
  const call: OperationCall<unknown, unknown> = {
    registry: context.get('registry'),
    caller: context.get('caller'),
    path,
    query,
    body,
    context,
  };
  const result = await operation.run(call as OperationCall<never, never>);
  if (result instanceof Response) return result;
  if (operation.method !== 'GET' || operation.scope !== null) context.header('cache-control', 'no-store');
  return result === undefined ? context.body(null, 204) : context.json(result, operation.status as 200);
}

function readPath(operation: Operation, context: Context<Environment>): Record<PathPart, string> {
  const parts: Partial<Record<PathPart, string>> = {};
  for (const part of partsOf(operation.path)) {
    const given = context.req.param(part) ?? '';
    const parsed = pathParts[part].safeParse(part === 'owner' ? given.replace(/^@/, '') : given);
    if (!parsed.success) throw notFound();
    parts[part] = parsed.data;
  }
  return parts as Record<PathPart, string>;
}

async function readJson(context: Context<Environment>): Promise<unknown> {
  const type = context.req.header('content-type') ?? '';
  // A form of another site cannot send this type without asking first.
  if (!/^application\/json(?:\s*;|$)/i.test(type))
    throw new Failure('bad_request', 'send JSON, with content-type application/json');
  const bytes = await readBody(context, { maxBytes: MAX_JSON_BYTES, seconds: JSON_SECONDS });
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Failure('bad_request', 'the body is not JSON');
  }
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Failure('bad_request', `the ${what} is not valid`, {
    details: parsed.error.issues
      .slice(0, 20)
      .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`)),
  });
}
