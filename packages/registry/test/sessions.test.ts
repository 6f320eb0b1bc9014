import { createHash } from 'node:crypto';
import type { SessionInfo } from 'skillwright/registry-protocol';
import { expect, test } from 'vitest';
import type { App } from '../src/http/environment.ts';
import { onBothDatabases } from './open-test-registry.ts';
import { addAccount, auditOf } from './test-accounts.ts';
import { clientOf, TestBrowser } from './test-client.ts';

const HOUR = 3_600_000;

async function signIn(app: App, token: string, browser = new TestBrowser(app)): Promise<TestBrowser> {
  const answer = await browser.post('/signin', { token, return: '/' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
  return browser;
}

onBothDatabases('sessions', (open) => {
  test('start with a token, have its rights, and end with it', async (context) => {
    const { app, registry } = await open(context);
    const token = await addAccount(registry, 'anna', { scopes: ['read', 'publish'] });
    const browser = await signIn(app, token);
    expect((await browser.get('/api/v1/whoami')).status).toBe(200);
    // A stolen token for publishing opens nothing it could not do itself.
    expect((await browser.get('/api/v1/tokens')).status).toBe(403);
    expect((await browser.get('/device?code=AAAA-AAAA')).status).toBe(403);
    expect(await auditOf(registry)).toEqual(['anna session.start']);
    await registry.database.query(`update secrets set ended_at = now() where kind = 'token'`);
    expect((await browser.get('/api/v1/whoami')).status).toBe(401);
  });

  test('the cookie is for this host alone, and no script reads it', async (context) => {
    const secure = await open(context, { publicUrl: 'https://registry.test' });
    const browser = new TestBrowser(secure.app);
    const answer = await browser.post('/signin', { token: secure.adminToken });
    expect((await browser.get('/api/v1/whoami')).status).toBe(200);
    expect(answer.headers.getSetCookie().map((line) => line.replace(/=[^;]{43};/, '=…;'))).toEqual([
      '__Host-skillwright-session=…; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax',
    ]);
    const plain = await open(context);
    const local = await new TestBrowser(plain.app).post('/signin', { token: plain.adminToken });
    expect(local.headers.getSetCookie().map((line) => line.replace(/=[^;]{43};/, '=…;'))).toEqual([
      'skillwright-session=…; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
    ]);
    const secret = /=([^;]+)/.exec(local.headers.getSetCookie()[0]!)![1]!;
    const [row] = await plain.registry.database.query<{ hash: Uint8Array }>(
      `select hash from secrets where kind = 'session'`,
    );
    expect(Buffer.from(row!.hash)).toEqual(createHash('sha256').update(secret).digest());
  });

  test('a session planted in the browser is replaced at sign-in', async (context) => {
    const { app, registry, adminToken } = await open(context);
    const attacker = await signIn(app, await addAccount(registry, 'mallory'));
    const victim = new TestBrowser(app);
    const planted = attacker.cookies.get('skillwright-session')!;
    // Signing in over a planted session needs the session's own token, which only its own pages have.
    victim.cookies.set('skillwright-session', planted);
    const refused = await victim.post('/signin', { token: adminToken });
    expect(refused.status).toBe(403);
    await victim.post('/signin', { token: adminToken, csrf: await attacker.csrf() });
    expect(victim.cookies.get('skillwright-session')).not.toBe(planted);
    expect((await attacker.get('/api/v1/whoami')).status).toBe(401);
    // A made-up value never becomes a session.
    const other = new TestBrowser(app);
    other.cookies.set('skillwright-session', 'chosen-by-the-attacker');
    await signIn(app, adminToken, other);
    expect(other.cookies.get('skillwright-session')).not.toBe('chosen-by-the-attacker');
  });

  test('end when idle, when old, at sign-out, and when the account is suspended', async (context) => {
    const { app, registry, adminToken, pass } = await open(context, { sessionIdleHours: 2, sessionDays: 1 });
    const status = async (browser: TestBrowser) => (await browser.get('/api/v1/whoami')).status;
    const idle = await signIn(app, adminToken);
    pass(2 * HOUR + 1);
    expect(await status(idle)).toBe(401);
    const busy = await signIn(app, adminToken);
    const statuses: number[] = [];
    for (let hour = 0; hour < 25; hour++) {
      pass(HOUR);
      statuses.push(await status(busy));
      // The use is written behind the request.
      await registry.database.query(`update secrets set used_at = $1 where kind = 'session'`, [
        registry.now(),
      ]);
    }
    expect(statuses).toEqual([...Array<number>(23).fill(200), 401, 401]);
    const browser = await signIn(app, adminToken);
    const copy = new TestBrowser(app);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    const out = await browser.post('/signout', { csrf: await browser.csrf() });
    expect([out.status, browser.cookies.size]).toEqual([303, 0]);
    expect(await status(copy)).toBe(401);
    const suspended = await signIn(app, await addAccount(registry, 'anna'));
    await clientOf(app, adminToken)('PATCH', '/admin/accounts/anna', { suspended: 'x' });
    expect(await status(suspended)).toBe(401);
  });

  test('are listed, and others can be ended', async (context) => {
    const { app, registry, adminToken } = await open(context);
    const one = await signIn(app, adminToken);
    const two = await signIn(app, adminToken);
    const stranger = await signIn(app, await addAccount(registry, 'anna'));
    const { sessions } = (await (await one.get('/api/v1/sessions')).json()) as { sessions: SessionInfo[] };
    expect(sessions.map(({ current }) => current).toSorted()).toEqual([false, true]);
    const other = sessions.find(({ current }) => !current)!.id;
    const end = async (browser: TestBrowser, id: string) =>
      (
        await app.request(`/api/v1/sessions/${id}`, {
          method: 'DELETE',
          headers: {
            cookie: `skillwright-session=${browser.cookies.get('skillwright-session')}`,
            'x-csrf-token': await browser.csrf(),
          },
        })
      ).status;
    expect(await end(stranger, other)).toBe(404);
    expect(await end(stranger, 'missing')).toBe(404);
    expect(await end(one, other)).toBe(204);
    expect((await two.get('/api/v1/whoami')).status).toBe(401);
  });

  test('changes need the token of the session and a page of this registry', async (context) => {
    const { app, registry, adminToken } = await open(context);
    const browser = await signIn(app, adminToken);
    const other = await signIn(app, await addAccount(registry, 'mallory'));
    const csrf = await browser.csrf();
    const foreign = await other.csrf();
    expect(csrf).not.toBe(foreign);
    const attempts: [string, Record<string, string>, Record<string, string>][] = [
      ['no token', {}, { 'sec-fetch-site': 'same-origin' }],
      ["another's token", { csrf: foreign }, { 'sec-fetch-site': 'same-origin' }],
      ['another site', { csrf }, { 'sec-fetch-site': 'cross-site' }],
      ['another host of the site', { csrf }, { 'sec-fetch-site': 'same-site' }],
      ['another origin', { csrf }, { origin: 'https://evil.test' }],
      ['an origin that hides', { csrf }, { origin: 'null' }],
      ['no word about its origin, and no token', {}, {}],
    ];
    for (const [title, fields, headers] of attempts) {
      const answer = await browser.post('/signout', fields, headers);
      expect([title, answer.status]).toEqual([title, 403]);
    }
    // Requests with JSON, and the API, are checked too.
    const jar = `skillwright-session=${browser.cookies.get('skillwright-session')}`;
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const answer = await app.request('/api/v1/tokens', {
        method: 'POST',
        headers: { cookie: jar, 'content-type': type },
        body: JSON.stringify({ name: 'x', scopes: ['admin'], csrf }),
      });
      expect([type, answer.status]).toEqual([type, 403]);
    }
    expect((await browser.get('/api/v1/whoami')).status).toBe(200);
    const own = await browser.post('/signout', { csrf }, { origin: 'http://registry.test' });
    expect(own.status).toBe(303);
  });

  test('another site cannot sign a person in', async (context) => {
    const { app, adminToken } = await open(context);
    const browser = new TestBrowser(app);
    const answer = await browser.post('/signin', { token: adminToken }, { origin: 'https://evil.test' });
    expect([answer.status, browser.cookies.size]).toEqual([403, 0]);
  });

  test('a token in the header is never mixed with a cookie', async (context) => {
    const { app, registry, adminToken } = await open(context);
    const browser = await signIn(app, adminToken);
    const token = await addAccount(registry, 'anna', { scopes: ['read'] });
    const cookie = `skillwright-session=${browser.cookies.get('skillwright-session')}`;
    const send = (authorization: string) =>
      app.request('/api/v1/whoami', { headers: { cookie, authorization } });
    expect(await (await send(`Bearer ${token}`)).json()).toMatchObject({ account: 'anna', isAdmin: false });
    expect((await send('Bearer wrong')).status).toBe(401);
    expect((await send('Basic x')).status).toBe(401);
  });

  test('sign-in leads to pages of this registry only, and says nothing about why it failed', async (context) => {
    const { app, adminToken } = await open(context);
    for (const place of ['https://evil.test/', '//evil.test', '/\\evil.test', '/.//evil.test']) {
      const answer = await new TestBrowser(app).post('/signin', { token: adminToken, return: place });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    }
    const fine = await new TestBrowser(app).post('/signin', { token: adminToken, return: '/@a/b?x=1' });
    expect(fine.headers.get('location')).toBe('/@a/b?x=1');
    const wrong = await new TestBrowser(app).post('/signin', { token: '"><script>', return: '/"><script>' });
    const page = await wrong.text();
    expect([wrong.status, page.includes('<script>')]).toEqual([401, false]);
    expect(page).toContain('this token does not work');
    expect(wrong.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(wrong.headers.get('cache-control')).toBe('no-store');
  });
});
