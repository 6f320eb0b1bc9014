// The OpenAPI document, made from the operations themselves.

import { DIGEST_HEADER, RegistryFailure, registryErrors } from 'skillwright/registry-protocol';
import * as z from 'zod';
import { readingTools } from '../reading/index.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { partsOf, pathParts } from './path-parts.ts';

/** The OpenAPI 3.1 document of this registry. */
export async function openApiDocument(publicUrl: string): Promise<Record<string, unknown>> {
  const tools = await readingTools();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    paths[operation.path]![operation.method.toLowerCase()] = describeOperation(operation, tools);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Skillwright registry',
      version: '1',
      description:
        'Publish, find and read Agent Skills. Nothing is readable without a role unless made public.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Failure: schemaOf(RegistryFailure, 'output') },
    },
  };
}

type Tools = Awaited<ReturnType<typeof readingTools>>;

function describeOperation(operation: Operation, tools: Tools): Record<string, unknown> {
  const { id, summary, scope, status, body } = operation;
  return {
    operationId: id,
    summary,
    description: describeScope(scope),
    security: scope === null ? [{}, { token: [] }] : [{ token: [] }],
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(operation),
      ...toolParameters(operation, tools),
      ...headerParameters(operation),
    ],
    ...(body === undefined ? {} : { requestBody: describeBody(body) }),
    responses: { [String(status)]: describeAnswer(operation), ...describeErrors(operation) },
  };
}

function describeScope(scope: Operation['scope']): string {
  if (scope === null) return 'Needs no token for public skills.';
  return scope === 'any' ? 'Needs a token.' : `Needs a token with scope \`${scope}\`.`;
}

function pathParameters({ path }: Operation) {
  return partsOf(path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(pathParts[name], 'input'),
  }));
}

function queryParameters({ query }: Operation) {
  if (query === undefined) return [];
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    schema: schemaOf(schema as z.ZodType, 'input'),
  }));
}

/** The skill is in the path; the tool's other parameters are in the query. */
function toolParameters({ parametersOf }: Operation, tools: Tools) {
  if (parametersOf === undefined) return [];
  const { properties = {}, required = [] } = tools.get(`skc_${parametersOf}`)!.definition.inputSchema as {
    properties?: Record<string, object>;
    required?: string[];
  };
  return Object.entries(properties)
    .filter(([name]) => name !== 'skill')
    .map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }));
}

function headerParameters({ body }: Operation) {
  if (body !== 'archive') return [];
  const schema = schemaOf(pathParts.digest, 'input');
  return [{ name: DIGEST_HEADER, in: 'header', required: true, schema, description: 'SHA-256 of the body' }];
}

function describeBody(body: NonNullable<Operation['body']>) {
  return {
    required: true,
    content:
      body === 'archive'
        ? { 'application/gzip': { schema: { type: 'string', format: 'binary' } } }
        : { 'application/json': { schema: schemaOf(body, 'input') } },
  };
}

function describeAnswer({ summary, response, hasText }: Operation) {
  if (response === undefined) return { description: summary };
  const content =
    typeof response === 'string'
      ? { [response]: { schema: { type: 'string' } } }
      : { 'application/json': { schema: schemaOf(response, 'output') } };
  const text = hasText ? { 'text/plain': { schema: { type: 'string' } } } : {};
  return { description: summary, content: { ...content, ...text } };
}

function describeErrors({ errors }: Operation) {
  const byStatus = new Map<number, string[]>();
  for (const code of errors) {
    const status = registryErrors[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } };
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      { description: codes.map((code) => `\`${code}\``).join(' or '), content },
    ]),
  );
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
