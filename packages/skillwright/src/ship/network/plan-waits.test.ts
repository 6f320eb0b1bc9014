import { expect, test } from 'vitest';
import { serve } from '../../../test/serve.ts';
import type { SkillwrightError } from '../../base/diagnostics/skillwright-error.ts';
import { createFetcher } from './create-fetcher.ts';

/** A server that is busy for some requests, and a fetcher that does not really wait. */
async function busy(answers: readonly [number, Record<string, string>][]) {
  let count = 0;
  const server = await serve((_, response) => {
    const [status, headers] = answers[count++] ?? [200, {}];
    response.writeHead(status, headers).end('done');
  });
  const waits: number[] = [];
  const fetcher = createFetcher({
    allowPrivate: true,
    pause: async (milliseconds) => void waits.push(milliseconds),
  });
  const get = (options = {}) =>
    fetcher.get(server.url, options).then(
      ({ status }) => status,
      ({ code, help }: SkillwrightError) => [code, help],
    );
  return { server, fetcher, waits, get };
}

test.each([429, 503])('%i with retry-after is retried', async (status) => {
  const { server, waits, get } = await busy([
    [status, { 'retry-after': '2' }],
    [status, { 'retry-after': '0' }],
  ]);
  expect([await get(), waits, server.requests]).toEqual([200, [2000, 0], ['GET /', 'GET /', 'GET /']]);
});

test('not without retry-after, and not after any other status', async () => {
  for (const answer of [
    [429, {}],
    [503, {}],
    [500, { 'retry-after': '1' }],
    [404, { 'retry-after': '1' }],
    [403, { 'retry-after': '1' }],
    [429, { 'retry-after': 'soon' }],
  ] as const) {
    const { server, waits, get } = await busy([[answer[0], answer[1]]]);
    await get();
    expect([waits, server.requests]).toEqual([[], ['GET /']]);
  }
});

test('tries and waiting time are limited', async () => {
  const forever = Array.from({ length: 50 }, (): [number, Record<string, string>] => [
    429,
    { 'retry-after': '1' },
  ]);
  const often = await busy(forever);
  expect([await often.get(), often.waits]).toEqual([
    ['E209', 'try again in 1 second'],
    [1000, 1000, 1000],
  ]);
  const long = await busy([[429, { 'retry-after': '31' }]]);
  expect([await long.get(), long.waits]).toEqual([['E209', 'try again in 31 seconds'], []]);
  const twice = await busy(Array.from({ length: 3 }, () => [503, { 'retry-after': '20' }]));
  expect([await twice.get(), twice.waits]).toEqual([['E200', undefined], [20_000]]);
  const hurried = await busy([[503, { 'retry-after': '2' }]]);
  expect([await hurried.get({ timeout: 1500 }), hurried.waits]).toEqual([['E200', undefined], []]);
});

test('a wait can be cancelled', async () => {
  const server = await serve((_, response) => void response.writeHead(503, { 'retry-after': '25' }).end());
  const stop = new AbortController();
  const fetcher = createFetcher({ allowPrivate: true, onWait: () => setImmediate(() => stop.abort()) });
  const failed = await fetcher.get(server.url, { signal: stop.signal }).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 'E200', detail: '  cancelled' });
  expect(server.requests).toEqual(['GET /']);
});

test.each([
  [
    'the registry protocol',
    { error: { code: 'quarantined', message: 'under review', details: ['one', 'two'] } },
    '  under review\n  one\n  two',
  ],
  ['npm', { error: 'no such package' }, '  no such package'],
  ['GitHub', { message: 'Bad credentials' }, '  Bad credentials'],
  [
    'controls',
    { error: { code: 'x', message: '\u001b[2Jgone\nnext\u202e' } },
    expect.not.stringMatching(/[\u001b\u202e]/),
  ],
  ['a flood', { message: 'x'.repeat(60_000) }, `  ${'x'.repeat(500)}…`],
  ['something else', { code: 7 }, undefined],
])("the server's message reaches the user: %s", async (_, body, detail) => {
  const server = await serve((_request, response) => {
    response.writeHead(403, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  });
  const fetcher = createFetcher({ allowPrivate: true });
  const failed = (await fetcher.get(server.url).catch((error: unknown) => error)) as SkillwrightError;
  expect([failed.code, failed.detail]).toEqual(['E202', detail]);
});

test('a refusal that is too long or not JSON adds no message', async () => {
  for (const [type, body] of [
    ['application/json', JSON.stringify({ message: 'x'.repeat(100_000) })],
    ['text/html', '<h1>no</h1>'],
    ['application/json', '{"message":'],
  ] as const) {
    const server = await serve(
      (_, response) => void response.writeHead(404, { 'content-type': type }).end(body),
    );
    const fetcher = createFetcher({ allowPrivate: true });
    expect(await fetcher.get(server.url).catch((error: unknown) => error)).toMatchObject({
      code: 'E201',
      detail: undefined,
    });
  }
});
