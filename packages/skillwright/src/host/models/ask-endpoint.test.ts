import { expect, test } from 'vitest';
import { KEY, serveOpenai } from '../../../test/model-server.ts';
import { createEndpoint } from './ask-endpoint.ts';
import { createKeyHider } from './open-model.ts';
import { openaiProtocol } from './openai-protocol.ts';

const request = { system: 'Be short.', turns: [{ role: 'user' as const, text: 'Hello' }] };

/** An endpoint whose server refuses with these statuses first, and the waits between. */
async function endpointAfter(refusals: readonly { status: number; after?: string }[]) {
  const waits: number[] = [];
  const server = await serveOpenai(
    () => ({ text: 'Hello to you' }),
    (response, { count }) => {
      const refusal = refusals[count - 1];
      if (refusal === undefined) return false;
      const headers = refusal.after === undefined ? {} : { 'retry-after': refusal.after };
      response.writeHead(refusal.status, headers).end('busy');
      return true;
    },
  );
  const ask = createEndpoint({
    name: 'm',
    url: `${server.url}/v1/`,
    key: KEY,
    protocol: openaiProtocol,
    settings: { model: 'small', maxTokens: 10, temperature: undefined },
    timeoutMs: 60_000,
    network: { allowPrivate: [] },
    pause: async (milliseconds) => void waits.push(milliseconds),
  });
  const settled = await ask(request).then(
    ({ text }) => text,
    (error: Error) => error.message,
  );
  return [settled, waits];
}

const times = (count: number, refusal: { status: number; after?: string }) =>
  Array.from({ length: count }, () => refusal);

test.each([
  [[], 'Hello to you', []],
  [times(4, { status: 500 }), 'Hello to you', [1000, 2000, 4000, 8000]],
  [[{ status: 429, after: '7' }, { status: 529 }], 'Hello to you', [7000, 2000]],
  [times(9, { status: 503 }), "no answer from the model 'm': status 503, 5 times", [1000, 2000, 4000, 8000]],
  [
    [{ status: 429, after: '3600' }],
    "no answer from the model 'm': status 429; it asks to wait 3600 seconds",
    [],
  ],
  [[{ status: 403 }], "no answer from the model 'm': status 403", []],
])('refused with %j', async (refusals, settled, waits) => {
  expect(await endpointAfter(refusals)).toEqual([settled, waits]);
});

test('keys are hidden in every form they travel in', () => {
  const hide = createKeyHider(['a+b/c=="x', '']);
  expect(hide('a+b/c=="x a%2Bb%2Fc%3D%3D%22x {"k":"a+b/c==\\"x"} YStiL2M9PSJ4 rest')).toBe(
    '[key] [key] {"k":"[key]"} [key] rest',
  );
});
