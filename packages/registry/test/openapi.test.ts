import { registryOperations } from 'skillwright/registry-protocol';
import { expect, test } from 'vitest';
import { routePath } from '../src/api/mount-operations.ts';
import { openApiDocument } from '../src/api/openapi.ts';
import type { Registry } from '../src/registry.ts';
import { createApp } from '../src/server/create-app.ts';
import { Settings } from '../src/settings/settings.ts';

const operations = Object.values(registryOperations);

/** Pages, protocols of others and machines that watch the server are not part of the API; feeds are. */
const isOutside = (route: string) => !/ \/api\/v1\/|\/feed\.(?:json|atom)$/.test(route);

test('every route is in the document, and every operation in the document is a route', async () => {
  const app = createApp({ settings: Settings.parse({ data: '' }) } as Registry);
  const routes = new Set(
    app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`),
  );
  const described = operations.map((operation) => `${operation.method} ${routePath(operation)}`);
  const known = new Set(described);
  const missing = [...routes].filter((route) => !known.has(route) && !isOutside(route));
  expect(missing).toEqual([]);
  expect(described.filter((route) => !routes.has(route))).toEqual([]);
  const { paths } = (await openApiDocument('http://registry.test')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.toSorted()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).toSorted());
});

test('the document says what an operation takes and answers', async () => {
  const { openapi, paths } = (await openApiDocument('http://registry.test')) as {
    openapi: string;
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };
  expect(openapi).toBe('3.1.0');
  const yank = paths['/api/v1/skills/@{owner}/{name}/{version}']!.patch!;
  expect(yank).toMatchObject({
    operationId: 'yankVersion',
    security: [{ token: [] }],
    parameters: [
      { name: 'owner', in: 'path', required: true },
      { name: 'name', in: 'path', required: true },
      { name: 'version', in: 'path', required: true },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              yanked: { anyOf: [{ type: 'string', minLength: 1, maxLength: 500 }, { type: 'null' }] },
            },
            required: ['yanked'],
            additionalProperties: false,
          },
        },
      },
    },
    responses: {
      200: { content: { 'application/json': { schema: { type: 'object' } } } },
      403: {
        description: '`forbidden`',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    },
  });
  const show = paths['/api/v1/read/@{owner}/{wanted}/show']!.get! as {
    parameters: { name: string; in: string }[];
    responses: Record<string, { content: object }>;
  };
  expect(show.parameters.slice(0, 3)).toEqual([
    expect.objectContaining({ name: 'owner', in: 'path' }),
    expect.objectContaining({ name: 'wanted', in: 'path' }),
    expect.objectContaining({
      in: 'query',
      schema: expect.objectContaining({ description: expect.any(String) }),
    }),
  ]);
  expect(show.parameters.map(({ name }) => name)).not.toContain('skill');
  expect(Object.keys(show.responses[200]!.content)).toEqual(['application/json', 'text/plain']);
  const search = paths['/api/v1/search']!.get! as { parameters: { name: string }[] };
  expect(search.parameters.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['q', 'owner', 'tag', 'category', 'level', 'sort', 'cursor', 'limit']),
  );
});

test('the document stays as it is: clients are generated from it', async () => {
  const { paths, ...rest } = (await openApiDocument('http://registry.test')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => `${method} ${path} ${JSON.stringify(operation)}`),
  );
  await expect([JSON.stringify(rest), ...lines, ''].join('\n')).toMatchFileSnapshot('openapi-document.snap');
});
