import { describe, expect, test } from 'vitest';
import { type AccountServer, SECRET, serveAccounts } from '../../../test/account-server.ts';
import { serve } from '../../../test/serve.ts';
import { createFetcher } from './create-fetcher.ts';
import { awaitDeviceToken, startDeviceLogin } from './device-login.ts';

const fetcher = createFetcher({ allowPrivate: true, timeout: 60_000, retries: 0 });

/** A clock that stands still, except while somebody waits. */
function makeClock(stopAfter = Number.POSITIVE_INFINITY) {
  const waits: number[] = [];
  const controller = new AbortController();
  let time = 0;
  return {
    waits,
    signal: controller.signal,
    now: () => new Date(time),
    async pause(milliseconds: number) {
      waits.push(milliseconds / 1000);
      time += milliseconds;
      if (waits.length >= stopAfter) controller.abort();
    },
  };
}

/** Logs in with these answers to the questions for a token: the token or the error, and the seconds between questions. */
async function login(answers: AccountServer['world']['device'], stopAfter?: number) {
  const server = await serveAccounts();
  server.world.device = answers;
  const clock = makeClock(stopAfter);
  const options = { fetcher, signal: clock.signal };
  const registry = `${server.url}/`;
  const started = await startDeviceLogin({ registry, scopes: ['read', 'rate'] }, options);
  const result = await awaitDeviceToken(started, clock, options).then(
    (issued) => issued.access_token,
    (error: { code: string; message: string }) =>
      `${error.code} ${error.message.replace(registry, '<registry>')}`,
  );
  return { result, waits: clock.waits, server, started };
}

test('the code comes from the registry, and each question names it', async () => {
  const { result, server, started } = await login(['ok']);
  expect(result).toBe(SECRET);
  expect(started).toEqual({
    registry: `${server.url}/`,
    deviceCode: 'device-1',
    userCode: 'WDJB-MJHT',
    address: `${server.url}/device`,
    completeAddress: `${server.url}/device?code=WDJB-MJHT`,
    expiresIn: 600,
    interval: 5,
  });
  expect(
    server.world.seen.map(({ line, body }) => [line, Object.fromEntries(new URLSearchParams(body))]),
  ).toEqual([
    ['POST /oauth/device_authorization', { client_id: 'skc', scope: 'read rate' }],
    [
      'POST /oauth/token',
      {
        client_id: 'skc',
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: 'device-1',
      },
    ],
  ]);
});

const busy = { status: 500, body: '{"error":"oops"}' };

test.each<[string, AccountServer['world']['device'], string, number[]]>([
  ['confirmed at once', ['ok'], SECRET, []],
  ['pending', ['authorization_pending', 'authorization_pending', 'ok'], SECRET, [5, 5]],
  ['slow down', ['authorization_pending', 'slow_down', 'slow_down', 'ok'], SECRET, [5, 10, 15]],
  ['a server in trouble', [busy, busy, 'ok'], SECRET, [10, 15]],
  [
    'denied',
    ['authorization_pending', 'access_denied'],
    "E248 login at '<registry>' failed: it was denied",
    [5],
  ],
  ['expired', ['expired_token'], "E248 login at '<registry>' failed: nobody confirmed the code in time", []],
  [
    'another refusal',
    [{ status: 401, body: '{"error":"invalid_client","error_description":"who\\u001b[2J are you?"}' }],
    "E248 login at '<registry>' failed: who\\u001b[2J are you?",
    [],
  ],
  [
    'a refusal without a code',
    [{ status: 403, body: '{"error":{"code":"forbidden","message":"logins are closed"}}' }],
    "E248 login at '<registry>' failed: logins are closed",
    [],
  ],
  [
    'an answer without a token',
    [{ status: 200, body: '{"token_type":"Bearer"}' }],
    "E215 unexpected response: '<registry>oauth/token': access_token: must be text",
    [],
  ],
])('%s', async (_, answers, expected, waits) => {
  const { result, waits: waited } = await login(answers);
  expect([result, waited]).toEqual([expected, waits]);
});

test('nobody confirms: it ends when the code does', async () => {
  const { result, waits } = await login(['authorization_pending']);
  expect(result).toContain('nobody confirmed the code in time');
  expect(waits).toEqual(Array.from({ length: 119 }, () => 5));
});

test('cancelled while it waits', async () => {
  const { result, waits, server } = await login(['authorization_pending'], 2);
  expect([result, waits]).toEqual(["E091 interrupted: 'skc login'", [5, 5]]);
  expect(server.world.seen).toHaveLength(3);
});

describe('the start', () => {
  const start = async (status: number, body: unknown) => {
    const { url } = await serve((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    return startDeviceLogin({ registry: `${url}/`, scopes: ['read'] }, { fetcher }).then(
      (started) => started.interval,
      (error: { code: string }) => error.code,
    );
  };
  const code = {
    device_code: 'd',
    user_code: 'A-B',
    verification_uri: 'https://x.example/device',
    expires_in: 600,
  };

  test.each<[string, number, unknown, unknown]>([
    ['without an interval', 200, code, 5],
    ['no such login', 404, {}, 'E248'],
    ['an address that is not of the web', 200, { ...code, verification_uri: 'file:///etc/passwd' }, 'E215'],
    ['an address with a password', 200, { ...code, verification_uri: 'https://a:b@x.example' }, 'E215'],
    ['a script', 200, { ...code, verification_uri_complete: 'javascript:alert(1)' }, 'E215'],
    ['a code that moves the cursor', 200, { ...code, user_code: '\u001b[2J' }, 'E215'],
    ['something else', 200, ['x'], 'E215'],
    ['a server in trouble', 502, {}, 'E200'],
    ['too many requests', 429, {}, 'E209'],
  ])('%s', async (_, status, body, expected) => {
    expect(await start(status, body)).toBe(expected);
  });

  test('never without https, except on this machine', async () => {
    await expect(
      startDeviceLogin({ registry: 'http://skills.example/', scopes: ['read'] }, { fetcher }),
    ).rejects.toEqual(expect.objectContaining({ code: 'E206' }));
  });
});
