// The OpenAPI document, made from the operations themselves.

import {
  DIGEST_HEADER,
  partsOf,
  pathParts,
  RegistryFailure,
  type RegistryOperation,
  registryErrors,
  registryOperations,
} from 'skillwright/registry-protocol';
import * as z from 'zod';
import { readingTools } from '../reading/index.ts';

/** The OpenAPI 3.1 document of this registry. */
export async function openApiDocument(publicUrl: string): Promise<Record<string, unknown>> {
  const tools = await readingTools();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [id, operation] of Object.entries<RegistryOperation>(registryOperations)) {
    paths[operation.path] ??= {};
    paths[operation.path]![operation.method.toLowerCase()] = describeOperation(id, operation, tools);
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

function describeOperation(id: string, operation: RegistryOperation, tools: Tools): Record<string, unknown> {
  const { summary, scope, body, creates, response } = operation;
  const status = response === undefined ? 204 : creates ? 201 : 200;
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

function describeScope(scope: RegistryOperation['scope']): string {
  if (scope === null) return 'Needs no token for public skills.';
  return scope === 'any' ? 'Needs a token.' : `Needs a token with scope \`${scope}\`.`;
}

function pathParameters(operation: RegistryOperation) {
  return partsOf(operation).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: schemaOf(pathParts[name], 'input'),
  }));
}

function queryParameters({ query }: RegistryOperation) {
  if (query === undefined) return [];
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    schema: schemaOf(schema as z.ZodType, 'input'),
  }));
}

/** The skill is in the path; the tool's other parameters are in the query. */
function toolParameters({ tool }: RegistryOperation, tools: Tools) {
  if (tool === undefined) return [];
  const { properties = {}, required = [] } = tools.get(tool)!.definition.inputSchema as {
    properties?: Record<string, object>;
    required?: string[];
  };
  return Object.entries(properties)
    .filter(([name]) => name !== 'skill')
    .map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema }));
}

function headerParameters({ body }: RegistryOperation) {
  if (body !== 'archive') return [];
  const schema = schemaOf(pathParts.digest, 'input');
  return [{ name: DIGEST_HEADER, in: 'header', required: true, schema, description: 'SHA-256 of the body' }];
}

function describeBody(body: NonNullable<RegistryOperation['body']>) {
  return {
    required: true,
    content:
      body === 'archive'
        ? { 'application/gzip': { schema: { type: 'string', format: 'binary' } } }
        : { 'application/json': { schema: schemaOf(body, 'input') } },
  };
}

function describeAnswer({ summary, response, hasText }: RegistryOperation) {
  if (response === undefined) return { description: summary };
  const content =
    typeof response === 'string'
      ? { [response]: { schema: { type: 'string' } } }
      : { 'application/json': { schema: schemaOf(response, 'output') } };
  const text = hasText ? { 'text/plain': { schema: { type: 'string' } } } : {};
  return { description: summary, content: { ...content, ...text } };
}

function describeErrors({ errors }: RegistryOperation) {
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
