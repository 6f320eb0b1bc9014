import type { Invitation } from 'skillwright/registry-protocol';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startProvider, type TestProvider } from './identity-provider.ts';
import { onBothDatabases } from './open-test-registry.ts';
import { addAccount, auditOf } from './test-accounts.ts';
import { clientOf, TestBrowser } from './test-client.ts';

let provider: TestProvider;
beforeAll(async () => {
  // The provider warns about its adapter in memory.
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  provider = await startProvider({
    'subject-1': {
      name: 'Anna Ampel',
      preferred_username: 'anna',
      email: 'anna@house.test',
      email_verified: true,
      groups: ['skills'],
    },
    'subject-2': { preferred_username: 'Änna@elsewhere', email: 'anna@house.test', email_verified: false },
    'subject-3': { email: 'admin@house.test', email_verified: true, groups: 'skills' },
  });
});
afterAll(() => provider.close());

const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;

async function start(browser: TestBrowser, query = ''): Promise<string> {
  const answer = await browser.get(`/signin/start?provider=house${query}`);
  expect(answer.status).toBe(303);
  return answer.headers.get('location')!;
}

/** Signs in at the provider and comes back; the response to that. */
async function signIn(browser: TestBrowser, subject: string, query = ''): Promise<Response> {
  const back = await provider.visit(await start(browser, query), subject);
  return browser.get(pathOf(back));
}

async function whois(browser: TestBrowser): Promise<unknown> {
  const answer = await browser.get('/api/v1/whoami');
  return answer.status === 200 ? ((await answer.json()) as { account: string }).account : answer.status;
}

onBothDatabases('sign-in at a provider', (open) => {
  test('makes the account at the first time, and finds it again by issuer and subject', async (context) => {
    const { app, registry } = await open(context, { providers: [provider.settings()] });
    const browser = new TestBrowser(app);
    const page = await (await browser.get('/signin?return=/@a/b')).text();
    expect(page).toContain('href="/signin/start?provider=house&amp;return=%2F%40a%2Fb"');
    const address = new URL(await start(browser, '&return=/@a/b'));
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      client_id: 'registry',
      redirect_uri: 'http://registry.test/signin/callback',
      response_type: 'code',
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(address.searchParams.get(name)?.length).toBeGreaterThanOrEqual(43);
    const answer = await signIn(browser, 'subject-1', '&return=/@a/b');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/@a/b']);
    expect(await (await browser.get('/api/v1/whoami')).json()).toEqual({
      account: 'anna',
      displayName: 'Anna Ampel',
      isAdmin: false,
      token: null,
      owners: [],
      transfers: [],
    });
    // A session of the account itself can make tokens.
    expect((await browser.get('/api/v1/tokens')).status).toBe(200);
    const again = new TestBrowser(app);
    await signIn(again, 'subject-1');
    expect(await whois(again)).toBe('anna');
    // The same address with another subject is another person; look-alikes of names get a number.
    const other = new TestBrowser(app);
    await signIn(other, 'subject-2');
    expect(await whois(other)).toBe('anna-2');
    const third = new TestBrowser(app);
    await signIn(third, 'subject-3');
    expect(await whois(third)).toBe('admin-2');
    expect(await auditOf(registry)).toEqual([
      'anna account.create',
      'anna account.link',
      'anna session.start',
      'anna session.start',
      'anna-2 account.create',
      'anna-2 account.link',
      'anna-2 session.start',
      'admin-2 account.create',
      'admin-2 account.link',
      'admin-2 session.start',
    ]);
    await registry.database.query(`update accounts set suspended = 'x' where name = 'anna'`);
    expect(await whois(browser)).toBe(401);
    expect((await signIn(new TestBrowser(app), 'subject-1')).status).toBe(403);
  });

  test('answers work once, in time, and in the browser that asked', async (context) => {
    const { app, pass } = await open(context, { providers: [provider.settings()] });
    const over = async (answer: Promise<Response>) => {
      const { status, headers } = await answer;
      return [status, headers.getSetCookie().filter((line) => line.includes('session'))];
    };
    const victim = new TestBrowser(app);
    const back = pathOf(await provider.visit(await start(victim), 'subject-1'));
    // The victim's answer in the attacker's browser, and the attacker's in the victim's.
    const attacker = new TestBrowser(app);
    await start(attacker);
    expect(await over(attacker.get(back))).toEqual([403, []]);
    const planted = pathOf(await provider.visit(await start(attacker), 'subject-2'));
    expect(await over(new TestBrowser(app).get(planted))).toEqual([403, []]);
    const retry = new TestBrowser(app);
    await start(retry);
    expect(await over(retry.get(planted))).toEqual([403, []]);
    // Replayed.
    const browser = new TestBrowser(app);
    const url = await start(browser);
    const binding = new Map(browser.cookies);
    const answer = pathOf(await provider.visit(url, 'subject-1'));
    expect((await browser.get(answer)).status).toBe(303);
    for (const [name, value] of binding) browser.cookies.set(name, value);
    expect(await over(browser.get(answer))).toEqual([403, []]);
    // Too late.
    const slow = new TestBrowser(app);
    const late = pathOf(await provider.visit(await start(slow), 'subject-1'));
    pass(600_001);
    expect(await over(slow.get(late))).toEqual([403, []]);
    for (const path of ['/signin/callback', '/signin/callback?code=x&state=y'])
      expect(await over(new TestBrowser(app).get(path))).toEqual([403, []]);
  });

  test('codes, nonces and errors that belong to another sign-in are refused', async (context) => {
    const { app } = await open(context, { providers: [provider.settings()] });
    const browser = new TestBrowser(app);
    // A code from another sign-in: its challenge does not fit.
    const stolen = new URL(await provider.visit(await start(new TestBrowser(app)), 'subject-2'));
    const own = new URL(await provider.visit(await start(browser), 'subject-1'));
    own.searchParams.set('code', stolen.searchParams.get('code')!);
    expect((await browser.get(pathOf(own.href))).status).toBe(403);
    // An identity token made for another nonce.
    const url = new URL(await start(browser));
    url.searchParams.set('nonce', 'another');
    const back = await provider.visit(url.href, 'subject-1');
    expect((await browser.get(pathOf(back))).status).toBe(403);
    // An answer in the name of another issuer.
    const mixed = new URL(await provider.visit(await start(browser), 'subject-1'));
    mixed.searchParams.set('iss', 'https://evil.test');
    expect((await browser.get(pathOf(mixed.href))).status).toBe(403);
    const state = new URL(await start(browser)).searchParams.get('state')!;
    const failed = await browser.get(`/signin/callback?error=access_denied&state=${state}`);
    expect([failed.status, (await failed.text()).includes('House account did not confirm')]).toEqual([
      403,
      true,
    ]);
    expect(await whois(browser)).toBe(401);
    expect((await browser.get('/signin/start?provider=missing')).status).toBe(404);
  });

  test('two first sign-ins of one person at once make one account', async (context) => {
    const { app, registry } = await open(context, { providers: [provider.settings()] });
    const browsers = [new TestBrowser(app), new TestBrowser(app)] as const;
    const answers: string[] = [];
    for (const browser of browsers)
      answers.push(pathOf(await provider.visit(await start(browser), 'subject-1')));
    await Promise.all(browsers.map((browser, index) => browser.get(answers[index]!)));
    expect([await whois(browsers[0]), await whois(browsers[1])]).toEqual(['anna', 'anna']);
    const rows = await registry.database.query('select name from accounts order by id');
    expect(rows).toEqual([{ name: 'admin' }, { name: 'anna' }]);
  });

  test('the session before the sign-in ends, and the way leads to this registry only', async (context) => {
    const { app, registry } = await open(context, { providers: [provider.settings()] });
    const attacker = new TestBrowser(app);
    await attacker.post('/signin', { token: await addAccount(registry, 'mallory') });
    const victim = new TestBrowser(app);
    victim.cookies.set('skillwright-session', attacker.cookies.get('skillwright-session')!);
    const answer = await signIn(victim, 'subject-1', '&return=//evil.test');
    expect(answer.headers.get('location')).toBe('/');
    expect([await whois(victim), await whois(attacker)]).toEqual(['anna', 401]);
  });

  test('only chosen domains and groups may sign in', async (context) => {
    const restricted = [
      provider.settings({ domains: ['house.test'] }),
      provider.settings({ name: 'group', groups: ['skills'] }),
      provider.settings({ name: 'trusting', domains: ['house.test'], trustsEmail: true }),
    ];
    const { app } = await open(context, { providers: restricted });
    const trial = async (name: string, subject: string) => {
      const browser = new TestBrowser(app);
      const answer = await browser.get(`/signin/start?provider=${name}`);
      const back = await provider.visit(answer.headers.get('location')!, subject);
      return (await browser.get(pathOf(back))).status;
    };
    expect(await trial('house', 'subject-1')).toBe(303);
    // The provider did not verify this address.
    expect(await trial('house', 'subject-2')).toBe(403);
    expect(await trial('trusting', 'subject-2')).toBe(303);
    expect(await trial('group', 'subject-1')).toBe(303);
    expect(await trial('group', 'subject-2')).toBe(403);
    expect(await trial('group', 'subject-3')).toBe(403);
  });

  test('an invitation can be demanded, and is accepted at the provider', async (context) => {
    const { app, registry, adminToken } = await open(context, {
      providers: [provider.settings({ accounts: 'invited' })],
    });
    const admin = clientOf(app, adminToken);
    await admin('PUT', '/owners/@acme', {});
    const browser = new TestBrowser(app);
    expect((await signIn(browser, 'subject-1')).status).toBe(403);
    const [, invitation] = await admin('POST', '/invitations', {
      account: 'ampel',
      roles: [{ owner: 'acme', roles: ['reviewer'] }],
    });
    const code = (invitation as Invitation).link.split('/').at(-1)!;
    const page = await (await browser.get(`/invite/${code}`)).text();
    expect(page).toContain(`/signin/start?provider=house&amp;invite=${code}`);
    // With a provider, there is no way around it.
    expect((await browser.post(`/invite/${code}`, {})).status).toBe(403);
    expect((await signIn(browser, 'subject-1', `&invite=${code}`)).status).toBe(303);
    expect(await (await browser.get('/api/v1/whoami')).json()).toMatchObject({
      account: 'ampel',
      owners: [{ name: 'acme', roles: ['reviewer'] }],
    });
    expect((await new TestBrowser(app).get(`/signin/start?provider=house&invite=${code}`)).status).toBe(404);
    const again = new TestBrowser(app);
    expect((await signIn(again, 'subject-1')).status).toBe(303);
    expect(await whois(again)).toBe('ampel');
    expect(await auditOf(registry)).toEqual([
      'admin owner.create',
      'admin invitation.create',
      'ampel account.create',
      'admin owner.member',
      'ampel invitation.accept',
      'ampel account.link',
      'ampel session.start',
      'ampel session.start',
    ]);
  });
});

onBothDatabases('invitations', (open) => {
  test('make an account, its roles, a session and a token to sign in with', async (context) => {
    const { app, registry, adminToken } = await open(context);
    const admin = clientOf(app, adminToken);
    await admin('PUT', '/owners/@acme', {});
    const [status, invitation] = (await admin('POST', '/invitations', {
      account: 'anna',
      roles: [{ owner: 'acme', roles: ['reader', 'publisher'] }],
    })) as [number, Invitation];
    expect(status).toBe(201);
    expect(invitation.link).toMatch(/^http:\/\/registry\.test\/invite\/[\w-]{43}$/);
    const path = new URL(invitation.link).pathname;
    const stored = await registry.database.query('select * from secrets');
    expect(JSON.stringify(stored)).not.toContain(path.split('/').at(-1));
    const browser = new TestBrowser(app);
    // Looking at the link does not use it up; another site cannot accept it.
    const page = await browser.get(path);
    expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
    expect((await browser.post(path, {}, { origin: 'https://evil.test' })).status).toBe(403);
    const accepted = await browser.post(path, {});
    const token = /skwr_\w+/.exec(await accepted.text())![0];
    expect(await whois(browser)).toBe('anna');
    const [, who] = await clientOf(app, token)('GET', '/whoami');
    expect(who).toMatchObject({
      account: 'anna',
      isAdmin: false,
      owners: [{ name: 'acme', roles: ['publisher', 'reader'] }],
      token: { name: 'sign-in', scopes: ['read', 'publish', 'rate', 'owner', 'review'], expires: null },
    });
    // Once; and a used link looks like one that never was.
    const text = async (answer: Promise<Response>) => [(await answer).status, await (await answer).text()];
    const stranger = new TestBrowser(app);
    const unknown = await text(stranger.get('/invite/unknown'));
    expect(unknown[0]).toBe(404);
    expect(await text(stranger.get(path))).toEqual(unknown);
    expect(await text(stranger.post(path, {}))).toEqual(unknown);
    expect(stranger.cookies.size).toBe(0);
  });

  test('expire, die with the administrator who made them, and bring people back', async (context) => {
    const { app, registry, adminToken, pass } = await open(context);
    const admin = clientOf(app, adminToken);
    const invite = async (client: ReturnType<typeof clientOf>, account: string) => {
      const [status, body] = await client('POST', '/invitations', { account, days: 2 });
      expect(status).toBe(201);
      return new URL((body as Invitation).link).pathname;
    };
    const late = await invite(admin, 'anna');
    pass(2 * 86_400_000 + 1);
    expect((await new TestBrowser(app).post(late, {})).status).toBe(404);
    await addAccount(registry, 'bert');
    await admin('PATCH', '/admin/accounts/bert', { isAdmin: true });
    const bert = clientOf(app, await addAccount(registry, 'bert', { scopes: ['admin'] }));
    const orphaned = await invite(bert, 'carl');
    await admin('PATCH', '/admin/accounts/bert', { isAdmin: false });
    expect((await new TestBrowser(app).post(orphaned, {})).status).toBe(404);
    // Someone who lost their token gets a new link.
    const back = new TestBrowser(app);
    expect((await back.post(await invite(admin, 'bert'), {})).status).toBe(200);
    expect(await whois(back)).toBe('bert');
    for (const account of ['adm1n', 'b-ert', 'system', 'Not A Name'])
      expect([account, (await admin('POST', '/invitations', { account }))[0]]).toEqual([
        account,
        account === 'Not A Name' ? 400 : 409,
      ]);
    const roles = [{ owner: 'missing', roles: ['reader'] }];
    expect((await admin('POST', '/invitations', { account: 'dora', roles }))[0]).toBe(404);
  });

  test('two browsers at once: one gets in', async (context) => {
    const { app, adminToken } = await open(context);
    const [, body] = await clientOf(app, adminToken)('POST', '/invitations', { account: 'anna' });
    const path = new URL((body as Invitation).link).pathname;
    const answers = await Promise.all([
      new TestBrowser(app).post(path, {}),
      new TestBrowser(app).post(path, {}),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });
});
