// Adds the operations to the application: parts of the path, query and body are checked before a handler runs.

import type { Context } from 'hono';
import {
  type OperationId,
  type PathPart,
  partsOf,
  pathParts,
  type RegistryOperation,
  registryOperations,
} from 'skillwright/registry-protocol';
import type * as z from 'zod';
import { notFound } from '../access/index.ts';
import { peopleOperations } from '../accounts/index.ts';
import { Failure } from '../base/index.ts';
import { webhookOperations } from '../changes/index.ts';
import { type App, type Environment, readBody } from '../http/index.ts';
import { mirrorOperations } from '../mirrors/index.ts';
import { moderationOperations } from '../moderation/index.ts';
import { proofOperations, skillOperations, stateOperations } from '../skills/index.ts';
import type { Act, Handlers, OperationCall } from '../work/index.ts';
import { readHandlers } from './read-handlers.ts';
import { skillHandlers } from './skill-handlers.ts';

/** The work of every operation. Forms of the pages do it too. */
export const handlers = {
  ...peopleOperations,
  ...mirrorOperations,
  ...moderationOperations,
  ...proofOperations,
  ...readHandlers,
  ...skillHandlers,
  ...skillOperations,
  ...stateOperations,
  ...webhookOperations,
} satisfies Handlers;

/** The call of an operation by a page. */
export function callOf<Query = Record<string, never>, Body = undefined>(
  { registry, caller, context }: Act & { readonly context: Context<Environment> },
  asked: {
    readonly path?: Partial<OperationCall['path']>;
    readonly query?: Query;
    readonly body?: Body;
  } = {},
): OperationCall<Query, Body> {
  return { registry, caller, context, path: {}, query: {}, ...asked } as OperationCall<Query, Body>;
}

const MAX_JSON_BYTES = 256 * 1024;
const JSON_SECONDS = 30;

/** Registers each operation. */
export function mountOperations(app: App): void {
  for (const [id, operation] of Object.entries(registryOperations) as [OperationId, RegistryOperation][])
    app.on(operation.method, routePath(operation), (context) => runOperation(operation, { id, context }));
}

/** Versions begin with a digit, so a word such as `rating` in their place is never taken for one. */
const patterns: Partial<Record<PathPart, string>> = { version: '[0-9][^/]*' };

/** The path as hono spells it. */
export function routePath({ path }: Pick<RegistryOperation, 'path'>): string {
  return path.replaceAll('@{owner}', ':owner{@[^/]+}').replaceAll(/\{([a-z]+)\}/g, (_, part: PathPart) => {
    const pattern = patterns[part];
    return pattern === undefined ? `:${part}` : `:${part}{${pattern}}`;
  });
}

async function runOperation(
  operation: RegistryOperation,
  { id, context }: { readonly id: OperationId; readonly context: Context<Environment> },
): Promise<Response> {
  const { method, scope, query, body, creates, response } = operation;
  const call: OperationCall<unknown, unknown> = {
    registry: context.get('registry'),
    caller: context.get('caller'),
    path: readPath(operation, context),
    query: query === undefined ? {} : check(query, context.req.query(), 'query'),
    body:
      body === undefined || body === 'archive' ? undefined : check(body, await readJsonBody(context), 'body'),
    context,
  };
  const result: unknown = await handlers[id](call as never);
  if (result instanceof Response) return result;
  if (method !== 'GET' || scope !== null) context.header('cache-control', 'no-store');
  return response === undefined
    ? context.body(null, 204)
    : context.json(result as object, creates ? 201 : 200);
}

function readPath(operation: RegistryOperation, context: Context<Environment>): Record<PathPart, string> {
  const parts: Partial<Record<PathPart, string>> = {};
  for (const part of partsOf(operation)) {
    const given = context.req.param(part) ?? '';
    const parsed = pathParts[part].safeParse(part === 'owner' ? given.replace(/^@/, '') : given);
    if (!parsed.success) throw notFound();
    parts[part] = parsed.data;
  }
  return parts as Record<PathPart, string>;
}

async function readJsonBody(context: Context<Environment>): Promise<unknown> {
  const type = context.req.header('content-type') ?? '';
  // A form of another site cannot send this type without asking first.
  if (!/^application\/json(?:\s*;|$)/i.test(type))
    throw new Failure('bad_request', 'send JSON, with content-type application/json');
  const bytes = await readBody(context, { maxBytes: MAX_JSON_BYTES, seconds: JSON_SECONDS });
  try {
    // Half a surrogate pair is not valid text, and the database cannot keep it.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes), (key, value) => {
      if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) throw new Error();
      return value;
    });
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
