import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { toolVersion } from '../../base/version.ts';
import { exportSpan, type FinishedCall } from './export-span.ts';

interface Received {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A local collector, and the requests it received. */
async function collector(answer: 'ok' | 'error' | 'silence' = 'ok') {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ path: request.url, headers: request.headers, body: await json(request) });
    if (answer === 'silence') return;
    response.statusCode = answer === 'ok' ? 200 : 500;
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const call: FinishedCall = {
  command: 'show',
  skill: 'pdf-forms',
  skill_path: '/s/pdf forms',
  resource: 'references/fields.md',
  error: null,
  duration_ms: 2.5,
};
const now = new Date('2026-01-02T03:04:05.678Z');

const text = (key: string, value: string) => ({ key, value: { stringValue: value } });

const spanOf = ({ body }: Received) =>
  (body as { resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[] }).resourceSpans[0]!
    .scopeSpans[0]!.spans[0]!;

describe('exportSpan', () => {
  test('sends one span as OTLP', async () => {
    const { received, url } = await collector();
    await exportSpan(call, { env: { OTEL_EXPORTER_OTLP_ENDPOINT: url }, now });
    expect(received.map(({ path, headers }) => [path, headers['content-type']])).toEqual([
      ['/v1/traces', 'application/json'],
    ]);
    expect(received[0]!.body).toEqual({
      resourceSpans: [
        {
          resource: { attributes: [text('service.name', 'skc'), text('service.version', toolVersion)] },
          scopeSpans: [
            {
              scope: { name: 'skillwright', version: toolVersion },
              spans: [
                {
                  traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
                  spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
                  name: 'execute_tool skc_show pdf-forms references/fields.md',
                  kind: 1,
                  startTimeUnixNano: '1767323045675500000',
                  endTimeUnixNano: '1767323045678000000',
                  attributes: [
                    text('gen_ai.operation.name', 'execute_tool'),
                    text('gen_ai.tool.name', 'skc_show'),
                    text('gen_ai.skill.name', 'pdf-forms'),
                    text('gen_ai.skill.source.uri', 'file:///s/pdf%20forms'),
                    text('gen_ai.skill.resource.name', 'references/fields.md'),
                  ],
                  status: {},
                },
              ],
            },
          ],
        },
      ],
    });
  });

  test('a failure has its code, an operation on the whole skill no resource', async () => {
    const { received, url } = await collector();
    const failed = { ...call, resource: undefined, error: 'E020' };
    await exportSpan(failed, { env: { OTEL_EXPORTER_OTLP_ENDPOINT: url }, now });
    expect(spanOf(received[0]!)).toMatchObject({
      name: 'execute_tool skc_show pdf-forms',
      attributes: [{}, {}, {}, {}, text('error.type', 'E020')],
      status: { code: 2 },
    });
  });

  test('the environment sets endpoint, service name and parent span', async () => {
    const { received, url } = await collector();
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/my/traces`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-a=1, x-b=two%20words,=, broken, x-c=%zz',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-a=3',
      OTEL_SERVICE_NAME: 'my-agent',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,team=docs',
      TRACEPARENT: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    };
    await exportSpan(call, { env, now });
    const { path, headers, body } = received[0]!;
    expect(path).toBe('/my/traces');
    expect([headers['x-a'], headers['x-b'], headers['x-c']]).toEqual(['3', 'two words', '%zz']);
    expect(spanOf(received[0]!)).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
    });
    expect(body).toMatchObject({
      resourceSpans: [
        { resource: { attributes: [text('service.name', 'my-agent'), {}, text('team', 'docs')] } },
      ],
    });
  });

  test.each([
    [{}],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '<url>', OTEL_SDK_DISABLED: 'true' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '<url>', OTEL_TRACES_EXPORTER: 'none' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '<url>', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
  ])('%j sends nothing', async (given: Record<string, string>) => {
    const { received, url } = await collector();
    const env = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value.replace('<url>', url)]),
    );
    await exportSpan(call, { env, now });
    expect(received).toEqual([]);
  });

  test.each(['error', 'silence'] as const)(
    'a collector that answers with %s does not fail the command',
    async (answer) => {
      const { received, url } = await collector(answer);
      await exportSpan(call, { env: { OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/` }, now });
      expect(received.map(({ path }) => path)).toEqual(['/v1/traces']);
    },
  );

  test.each(['http://127.0.0.1:1', 'no url', 'file:///etc/passwd'])(
    '%s does not fail the command either',
    async (url) => {
      await exportSpan(call, { env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url }, now });
    },
  );
});
