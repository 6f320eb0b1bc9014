import { expect, test } from 'vitest';
import type { App } from '../src/http/environment.ts';
import { onBothDatabases } from './open-test-registry.ts';
import { addAccount, auditOf } from './test-accounts.ts';
import { clientOf, sendForm, TestBrowser } from './test-client.ts';

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';

interface Started {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

async function start(app: App, scope = 'read publish owner'): Promise<Started> {
  const [status, body] = await sendForm(app, '/oauth/device_authorization', {
    client_id: 'skc on laptop',
    scope,
  });
  expect(status).toBe(200);
  return body as Started;
}

const poll = (app: App, device_code: string, client_id = 'skc on laptop') =>
  sendForm(app, '/oauth/token', { grant_type: DEVICE, device_code, client_id });

const errorOf = async (answer: ReturnType<typeof poll>) => ((await answer)[1] as { error: string }).error;

async function person(app: App, token: string): Promise<TestBrowser> {
  const browser = new TestBrowser(app);
  await browser.post('/signin', { token });
  return browser;
}

onBothDatabases('device login', (open) => {
  test('gives a program a token after a person confirmed its code', async (context) => {
    const { app, registry, pass } = await open(context);
    const started = await start(app);
    expect({ ...started, device_code: '', user_code: '' }).toEqual({
      device_code: '',
      user_code: '',
      verification_uri: 'http://registry.test/device',
      verification_uri_complete: `http://registry.test/device?code=${started.user_code}`,
      expires_in: 600,
      interval: 2,
    });
    expect(started.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(await poll(app, started.device_code)).toEqual([
      400,
      { error: 'authorization_pending', error_description: 'nobody has confirmed the code yet' },
    ]);
    pass(5000);
    const anna = await person(app, await addAccount(registry, 'anna'));
    const page = await (await anna.get(`/device?code=${started.user_code.toLowerCase()}`)).text();
    expect(page).toContain('<bdi dir="auto">skc on laptop</bdi>');
    expect(rightsIn(page)).toEqual(['read', 'publish', 'owner']);
    expect(await errorOf(poll(app, started.device_code))).toBe('authorization_pending');
    pass(5000);
    const csrf = await anna.csrf();
    const done = await anna.post('/device', {
      csrf,
      code: started.user_code.replace('-', ' '),
      decision: 'approve',
    });
    expect(done.status).toBe(200);
    // The code of another program does not help: the client must be the same.
    expect(await errorOf(poll(app, started.device_code, 'other'))).toBe('invalid_grant');
    const [status, body] = await poll(app, started.device_code);
    const { access_token: token, ...rest } = body as { access_token: string };
    expect([status, rest]).toEqual([
      200,
      { token_type: 'Bearer', expires_in: 90 * 86_400, scope: 'read publish owner' },
    ]);
    const [, who] = await clientOf(app, token)('GET', '/whoami');
    expect(who).toMatchObject({ account: 'anna', token: { name: 'skc on laptop' } });
    pass(5000);
    expect(await errorOf(poll(app, started.device_code))).toBe('invalid_grant');
    expect((await anna.get(`/device?code=${started.user_code}`)).status).toBe(404);
    expect(await auditOf(registry)).toEqual([
      'anna session.start',
      'anna device.approve',
      'anna token.create',
    ]);
  });

  test('answers with the codes of RFC 8628', async (context) => {
    const { app, registry, pass } = await open(context);
    const started = await start(app);
    expect(await errorOf(poll(app, started.device_code))).toBe('authorization_pending');
    pass(1000);
    expect(await poll(app, started.device_code)).toEqual([
      400,
      { error: 'slow_down', error_description: 'wait 7 seconds' },
    ]);
    pass(6000);
    expect(await errorOf(poll(app, started.device_code))).toBe('slow_down');
    pass(15_000);
    expect(await errorOf(poll(app, started.device_code))).toBe('authorization_pending');
    pass(600_000);
    expect(await errorOf(poll(app, started.device_code))).toBe('expired_token');
    const anna = await person(app, await addAccount(registry, 'anna'));
    expect((await anna.get(`/device?code=${started.user_code}`)).status).toBe(404);
    const denied = await start(app);
    await anna.post('/device', { csrf: await anna.csrf(), code: denied.user_code, decision: 'deny' });
    expect(await errorOf(poll(app, denied.device_code))).toBe('access_denied');
    expect(await errorOf(poll(app, denied.device_code))).toBe('invalid_grant');
    expect(await errorOf(poll(app, 'unknown'))).toBe('invalid_grant');
    for (const [fields, error] of [
      [{}, 'invalid_request'],
      [{ grant_type: 'password' }, 'unsupported_grant_type'],
      [{ grant_type: DEVICE, client_id: 'x' }, 'invalid_request'],
      [{ grant_type: DEVICE, device_code: 'x' }, 'invalid_request'],
    ] as const)
      expect(await errorOf(sendForm(app, '/oauth/token', fields as Record<string, string>))).toBe(error);
    const ask = (fields: Record<string, string>) =>
      errorOf(sendForm(app, '/oauth/device_authorization', fields));
    expect(await ask({ client_id: 'x', scope: 'read everything' })).toBe('invalid_scope');
    expect(await ask({ client_id: '<b>skc</b>' })).toBe('invalid_request');
    expect(await ask({ client_id: 'skc\u202Eevil' })).toBe('invalid_request');
    expect(await ask({})).toBe('invalid_request');
    const json = await app.request('/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect([json.status, ((await json.json()) as { error: string }).error]).toEqual([400, 'invalid_request']);
  });

  test('gives no rights the person lacks', async (context) => {
    const { app, registry } = await open(context);
    const anna = await person(app, await addAccount(registry, 'anna', { scopes: ['read', 'owner'] }));
    const started = await start(app, 'read publish admin');
    const page = await (await anna.get(`/device?code=${started.user_code}`)).text();
    expect(rightsIn(page)).toEqual(['read']);
    await anna.post('/device', { csrf: await anna.csrf(), code: started.user_code, decision: 'approve' });
    const [, body] = await poll(app, started.device_code);
    expect((body as { scope: string }).scope).toBe('read');
    const none = await start(app, 'publish');
    const answer = await anna.post('/device', {
      csrf: await anna.csrf(),
      code: none.user_code,
      decision: 'approve',
    });
    expect(answer.status).toBe(403);
  });

  test('a suspended person or a revoked token gives nothing', async (context) => {
    const { app, registry, adminToken } = await open(context);
    const approve = async (name: string) => {
      const browser = await person(app, await addAccount(registry, name));
      const started = await start(app);
      await browser.post('/device', {
        csrf: await browser.csrf(),
        code: started.user_code,
        decision: 'approve',
      });
      return started.device_code;
    };
    const admin = clientOf(app, adminToken);
    const suspended = await approve('anna');
    await admin('PATCH', '/admin/accounts/anna', { suspended: 'x' });
    expect(await errorOf(poll(app, suspended))).toBe('access_denied');
    const revoked = await approve('bert');
    await admin('DELETE', '/admin/accounts/bert/tokens');
    expect(await errorOf(poll(app, revoked))).toBe('access_denied');
  });

  test('needs a signed-in person, their own form, and patience with wrong codes', async (context) => {
    const { app, registry, pass } = await open(context);
    const started = await start(app);
    const nobody = await new TestBrowser(app).get(`/device?code=${started.user_code}`);
    expect([nobody.status, nobody.headers.get('location')]).toEqual([
      303,
      `/signin?return=${encodeURIComponent(`/device?code=${started.user_code}`)}`,
    ]);
    const anna = await person(app, await addAccount(registry, 'anna'));
    const forged = await anna.post('/device', { code: started.user_code, decision: 'approve' });
    expect(forged.status).toBe(403);
    const unsigned = await new TestBrowser(app).post('/device', {
      code: started.user_code,
      decision: 'approve',
    });
    expect(unsigned.status).toBe(401);
    // Guesses at the same moment count as well.
    const guesses = await Promise.all(
      Array.from({ length: 15 }, (_, index) => anna.get(`/device?code=BBBB-BBB${'BCDFGHJKLMNPQRS'[index]}`)),
    );
    const statuses = guesses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 404).length).toBeLessThanOrEqual(10);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(5);
    for (let count = 0; count < 10; count++) await anna.get('/device?code=CCCC-CCCC');
    const locked = await anna.get(`/device?code=${started.user_code}`);
    expect([locked.status, locked.headers.get('retry-after')]).toEqual([429, '600']);
    // Others are not held up by it.
    const bert = await person(app, await addAccount(registry, 'bert'));
    expect((await bert.get(`/device?code=${started.user_code}`)).status).toBe(200);
    pass(600_001);
    const again = await start(app);
    expect((await anna.get(`/device?code=${again.user_code}`)).status).toBe(200);
  });
});

/** The rights a page names. */
function rightsIn(page: string): string[] {
  return [...page.matchAll(/<span class="badge [^"]*"><bdi>(\w+)<\/bdi>/g)].map(([, right]) => right!);
}
