import { context, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterEach, expect, test, vi } from 'vitest';
import { createLog } from '../src/base/log-lines.ts';
import { newSecret, newTokenSecret } from '../src/base/secrets.ts';
import { classOf } from '../src/http/limit-requests.ts';
import { clientAddress, createTrust } from '../src/http/observe.ts';
import { serveHttp } from '../src/http/serve-http.ts';
import { createApp } from '../src/server/create-app.ts';
import { onBothDatabases } from './open-test-registry.ts';

/** The connection of a request that comes from this address. */
const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });

const rateHeaders = ({ status, headers }: Response) => [
  status,
  ...['ratelimit-limit', 'ratelimit-remaining', 'retry-after'].map((name) => headers.get(name)),
];

/**
 * Stops the clock at the start of this minute. Not in another year: the embedded database plans its alarms by the clock, and
 * outlives the test.
 */
const stopClock = () => vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 60_000) * 60_000 });

afterEach(() => {
  vi.useRealTimers();
  trace.disable();
  context.disable();
});

onBothDatabases('a running registry', (open) => {
  test('limits how often a caller may read, by address or account', async (environment) => {
    stopClock();
    const { app, adminToken, pass } = await open(environment, { readLimit: 2 });
    const ask = (address: string, headers: Record<string, string> = {}) =>
      app.request('/api/v1/nowhere', { headers }, from(address));
    expect(rateHeaders(await ask('192.0.2.1'))).toEqual([404, '2', '1', null]);
    expect(rateHeaders(await ask('192.0.2.1'))).toEqual([404, '2', '0', null]);
    const refused = await ask('192.0.2.1');
    expect(rateHeaders(refused)).toEqual([429, '2', '0', '30']);
    expect(await refused.json()).toEqual({
      error: { code: 'rate_limited', message: 'too many requests; try again in 30 seconds' },
    });
    expect(rateHeaders(await ask('192.0.2.2'))).toEqual([404, '2', '1', null]);
    // An account has limits of its own, wherever it asks from.
    const authorization = `Bearer ${adminToken}`;
    expect(rateHeaders(await ask('192.0.2.1', { authorization }))).toEqual([404, '2', '1', null]);
    expect(rateHeaders(await ask('192.0.2.7', { authorization }))).toEqual([404, '2', '0', null]);
    pass(30_000);
    expect(rateHeaders(await ask('192.0.2.1'))).toEqual([404, '2', '0', null]);
    expect((await app.request('/readyz', {}, from('192.0.2.1'))).headers.get('ratelimit-limit')).toBeNull();
  });

  test('refuses made-up tokens and cookies without asking the database again and again', async (environment) => {
    stopClock();
    const { app, registry, adminToken, pass } = await open(environment, { loginLimit: 2 });
    const { query } = registry.database;
    let asked = 0;
    registry.database.query = (sql, parameters) => {
      if (sql.includes('.hash = $1')) asked += 1;
      return query(sql, parameters);
    };
    const ask = async (address: string, headers: Record<string, string>) => {
      const { status } = await app.request('/api/v1/whoami', { headers }, from(address));
      return status;
    };
    const admin = { authorization: `Bearer ${adminToken}` };
    const guess = () => ({ authorization: `Bearer ${newTokenSecret()}` });
    const wrong = guess();
    // Requests of a program that has just started count as one.
    const together = await Promise.all([1, 2, 3, 4, 5].map(() => ask('192.0.2.1', admin)));
    expect(together).toEqual([200, 200, 200, 200, 200]);
    asked = 1;
    expect([await ask('192.0.2.1', wrong), await ask('192.0.2.1', wrong), asked]).toEqual([401, 401, 2]);
    expect([await ask('192.0.2.1', guess()), await ask('192.0.2.1', guess()), asked]).toEqual([401, 429, 3]);
    const cookie = { cookie: `skillwright-session=${newSecret()}` };
    expect([await ask('192.0.2.1', cookie), asked]).toEqual([429, 3]);
    // Others, and tokens that worked before, are not affected. Nor are texts that cannot be tokens: they cost nothing.
    expect([await ask('192.0.2.2', guess()), await ask('192.0.2.1', admin)]).toEqual([401, 200]);
    expect(await ask('192.0.2.1', { authorization: 'Bearer wrong' })).toBe(401);
    pass(30_000);
    expect([await ask('192.0.2.1', guess()), await ask('192.0.2.1', guess())]).toEqual([401, 429]);
  });

  test('limits changes and sign-ins of all processes together', async (environment) => {
    stopClock();
    const { app, registry, pass } = await open(environment, { loginLimit: 2 });
    const second = registry.database.kind === 'postgres' ? createApp(registry) : app;
    const ask = (one: typeof app) => one.request('/oauth/nowhere', { method: 'POST' }, from('192.0.2.1'));
    const statuses = [(await ask(app)).status, (await ask(second)).status, (await ask(app)).status];
    expect([...statuses, (await ask(second)).status]).toEqual([404, 404, 429, 429]);
    pass(60_000);
    expect((await ask(second)).status).toBe(404);
  });

  test('gives /metrics to administrators and to the token for it', async (environment) => {
    const metricsToken = 'a-token-for-metrics';
    const { app, adminToken } = await open(environment, { metricsToken });
    await app.request('/healthz');
    const ask = async (authorization?: string) => {
      const response = await app.request(
        '/metrics',
        { headers: authorization === undefined ? {} : { authorization } },
        from('127.0.0.1'),
      );
      return [
        response.status,
        (await response.text()).includes('registry_requests_total{method="GET",route="/healthz"'),
      ];
    };
    expect([
      await ask(),
      await ask('Bearer wrong'),
      await ask(`Bearer ${metricsToken}`),
      await ask(`Bearer ${adminToken}`),
    ]).toEqual([
      [401, false],
      [401, false],
      [200, true],
      [200, true],
    ]);
    const elsewhere = await app.request('/nowhere', { headers: { authorization: `Bearer ${metricsToken}` } });
    expect(elsewhere.status).toBe(404);
  });

  test('is not ready while it stops', async (environment) => {
    const { app, registry } = await open(environment);
    registry.isStopping = true;
    const response = await app.request('/readyz');
    expect([response.status, await response.json()]).toEqual([503, { ok: false, reason: 'stopping' }]);
    expect((await app.request('/healthz')).status).toBe(200);
  });

  test('logs one line per request without secrets, and the reason of a mistake', async (environment) => {
    const { registry, adminToken } = await open(environment);
    const lines: string[] = [];
    const app = createApp(registry, { log: createLog((line) => lines.push(line)) });
    app.get('/skills/:name', (request) => request.text('ok'));
    app.get('/broken', () => {
      throw new Error('a mistake');
    });
    const headers = { authorization: `Bearer ${adminToken}`, cookie: 'session=secret-cookie' };
    const answer = await app.request('/skills/secret-name?q=secret-query', { headers });
    await app.request('/broken');
    await app.request('/secret-path', { headers: { authorization: 'Bearer skwr_secret-token' } });
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const id = answer.headers.get('x-request-id');
    const common = { time: expect.any(String), id: expect.any(String), ms: expect.any(Number) };
    expect(parsed).toEqual([
      {
        ...common,
        id,
        level: 'info',
        event: 'request',
        method: 'GET',
        route: '/skills/:name',
        status: 200,
        account: 1,
      },
      { ...common, level: 'error', event: 'request', method: 'GET', route: '/broken', status: 500 },
      {
        time: common.time,
        id: parsed[1]!.id,
        level: 'error',
        event: 'failure',
        message: 'a mistake',
        stack: expect.any(Array),
      },
      { ...common, level: 'info', event: 'request', method: 'GET', route: 'unknown', status: 401 },
    ]);
    expect(lines.join('\n')).not.toMatch(/secret|skwr_/);
  });

  test('reports a span per request to a listening tracer', async (environment) => {
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
    const { registry } = await open(environment);
    await createApp(registry).request('/readyz');
    expect(exporter.getFinishedSpans().map(({ name, attributes }) => ({ name, attributes }))).toEqual([
      {
        name: 'GET /readyz',
        attributes: {
          'http.request.method': 'GET',
          'http.route': '/readyz',
          'http.response.status_code': 200,
        },
      },
    ]);
  });

  test('bounds the size of requests before keeping them', async (environment) => {
    const { app } = await open(environment, { maxRequestBytes: 1024 });
    let kept = 0;
    app.post('/test', async (request) => {
      kept = (await request.req.arrayBuffer()).byteLength;
      return request.text('kept');
    });
    const endless = () =>
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(512)),
      });
    const send = async (path: string, init: object) => {
      const response = await app.request(path, { method: 'POST', ...init });
      return [response.status, (await response.text()).slice(0, 32)];
    };
    const refusal = [413, '{"error":{"code":"too_large","me'];
    expect([
      await send('/test', { body: new Uint8Array(1024), headers: { 'content-length': '1024' } }),
      await send('/test', { body: new Uint8Array(1025), headers: { 'content-length': '1025' } }),
      await send('/test', { body: endless(), duplex: 'half' }),
      // Nothing of an upload is read before the caller may publish.
      await send('/api/v1/skills/@a/b/1.0.0', { method: 'PUT', body: endless(), duplex: 'half' }),
      await send('/api/v1/skills/a/b/rating', { method: 'PUT', body: new Uint8Array(1025) }),
    ]).toEqual([[200, 'kept'], refusal, refusal, [400, '{"error":{"code":"bad_request","'], refusal]);
    expect(kept).toBe(1024);
  });

  test('handles a bounded number of requests and uploads at once', async (environment) => {
    const { app } = await open(environment, { maxRequests: 3, maxUploads: 1 });
    let handled = 0;
    let most = 0;
    const release: (() => void)[] = [];
    app.put('/api/v1/skills/:owner/:name/:version', async (request) => {
      most = Math.max(most, ++handled);
      await new Promise<void>((resolve) => release.push(resolve));
      handled--;
      return request.text('done');
    });
    const upload = () => app.request('/api/v1/skills/a/b/1.0.0', { method: 'PUT', body: 'x' });
    // Uploads have places of their own: one is received, two wait, the next is refused, and other requests go on.
    const uploads = [upload(), upload(), upload()];
    const refused = await upload();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await app.request('/nowhere')).status).toBe(404);
    expect((await app.request('/healthz')).status).toBe(200);
    while (uploads.length > 0) {
      while (release.length === 0) await new Promise((resolve) => setImmediate(resolve));
      release.shift()!();
      expect((await uploads.shift()!).status).toBe(200);
    }
    expect(most).toBe(1);
    expect((await app.request('/nowhere')).status).toBe(404);
  });

  test('gives up on a request that takes too long', async (environment) => {
    const { app } = await open(environment, { requestSeconds: 1 });
    app.get('/test', () => new Promise(() => {}));
    const response = await app.request('/test');
    expect([response.status, ((await response.json()) as { error: object }).error]).toEqual([
      503,
      { code: 'unavailable', message: 'this took too long; try again later' },
    ]);
  });
});

test('requests have a class', () => {
  const rows: [string, string, string][] = [
    ['GET', '/api/v1/skills/@a/b', 'read'],
    ['GET', '/api/v1/search', 'search'],
    ['GET', '/search', 'search'],
    ['GET', '/api/v1/find', 'search'],
    ['GET', '/api/v1/read/@a/b/search', 'search'],
    ['GET', '/api/v1/read/@a/b/show', 'read'],
    ['POST', '/api/v1/states', 'read'],
    ['POST', '/mcp', 'read'],
    ['PUT', '/api/v1/skills/@a/b/1.0.0', 'write'],
    ['DELETE', '/api/v1/tokens/1', 'write'],
    ['POST', '/api/v1/oauth/token', 'login'],
    ['POST', '/oauth/device_authorization', 'login'],
    ['GET', '/device', 'login'],
    ['POST', '/signin', 'login'],
    ['POST', '/invite/code', 'login'],
  ];
  expect(rows.map(([method, path]) => [method, path, classOf(method, path)])).toEqual(rows);
});

test('only a trusted proxy may say where a request comes from', async () => {
  const isTrusted = createTrust(['10.0.0.0/8', '2001:db8::1']);
  const ask = (address: string, forwarded?: string) =>
    clientAddress(
      {
        env: from(address),
        req: { header: () => forwarded },
      } as unknown as Parameters<typeof clientAddress>[0],
      isTrusted,
    );
  expect([
    ask('192.0.2.1', '203.0.113.9'),
    ask('10.1.2.3', '203.0.113.9'),
    ask('::ffff:10.1.2.3', '203.0.113.9'),
    ask('2001:db8::1', '198.51.100.1, 203.0.113.9, 10.9.9.9'),
    ask('10.1.2.3', '10.1.1.1'),
    ask('10.1.2.3'),
  ]).toEqual(['192.0.2.1', '203.0.113.9', '203.0.113.9', '203.0.113.9', '10.1.2.3', '10.1.2.3']);
});

test('a server that stops finishes open requests, up to a limit', async () => {
  const server = await serveHttp({ host: '127.0.0.1', port: 0, requestSeconds: 60 });
  const base = `http://127.0.0.1:${server.port}`;
  const early = await fetch(`${base}/readyz`);
  expect([early.status, early.headers.get('retry-after'), (await fetch(`${base}/healthz`)).status]).toEqual([
    503,
    '2',
    200,
  ]);
  let finish = () => {};
  const arrived = Promise.withResolvers<void>();
  server.open(async () => {
    arrived.resolve();
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    return new Response('finished');
  });
  const request = fetch(base);
  await arrived.promise;
  const closed = server.close(60_000);
  await expect(fetch(base)).rejects.toThrow();
  finish();
  expect([await (await request).text(), await closed]).toEqual(['finished', 0]);

  const impatient = await serveHttp({ host: '127.0.0.1', port: 0, requestSeconds: 60 });
  const hangs = Promise.withResolvers<void>();
  impatient.open(() => {
    hangs.resolve();
    return new Promise<Response>(() => {});
  });
  const cut = fetch(`http://127.0.0.1:${impatient.port}`).catch((error: Error) => error.message);
  await hangs.promise;
  expect(await impatient.close(1)).toBe(1);
  expect(await cut).toBe('fetch failed');
});
