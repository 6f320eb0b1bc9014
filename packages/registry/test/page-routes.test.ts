import { expect, test } from 'vitest';
import { onBothDatabases } from './open-test-registry.ts';
import { addAccount, addOwner, openSkillWorld, skillText } from './skill-world.ts';
import { TestBrowser } from './test-client.ts';

const files = (text: string, version: string) => ({
  'SKILL.md': skillText({
    name: 'forms',
    version,
    body: `# Forms\n\n${text}\n\n## Filling\n\nCall fill with a mapping. See [the page](references/page.html).\n`,
  }),
  'references/page.html': '<b>bold</b>\n',
});

onBothDatabases('pages of the registry', (open) => {
  async function world(context: Parameters<typeof open>[0]) {
    const made = await openSkillWorld(open, context);
    for (const version of ['1.0.0', '1.1.0']) {
      const { status } = await made.publish(`@acme/forms@${version}`, {
        files: files(`Text of ${version}.`, version),
      });
      expect(status).toBe(201);
    }
    const member = new TestBrowser(made.app);
    expect((await member.post('/signin', { token: made.tokens.root, return: '/' })).status).toBe(303);
    return { ...made, member, stranger: new TestBrowser(made.app) };
  }

  test('members see every page; strangers see neither the skill nor that it exists', async (context) => {
    const { member, stranger, call } = await world(context);
    const skill = [
      '',
      '/ask?q=fill+a+mapping',
      '/files',
      '/versions',
      '/diff?from=1.0.0&to=1.1.0',
      '/safety',
      '/settings',
      '/1.0.0',
      '/1.0.0/files/SKILL.md',
    ].map((path) => `/@acme/forms${path}`);
    const others = [
      '/',
      '/search?q=forms',
      '/@acme',
      '/review',
      '/review/@acme/forms/1.1.0',
      '/settings',
      '/settings/tokens',
      '/settings/sessions',
      '/admin/accounts',
      '/admin/audit',
      '/admin/reports',
      '/admin/verifications',
      '/admin/mirrors',
      '/log',
    ];
    const shown: Record<string, string> = {};
    for (const path of [...skill, ...others]) {
      const response = await member.get(path);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=UTF-8',
      ]);
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
      shown[path] = await response.text();
    }
    expect(shown['/@acme/forms']).toContain('Text of 1.1.0.');
    expect(shown['/@acme/forms']).toContain('href="#section-filling"');
    expect(shown['/@acme/forms/1.0.0']).toContain('Text of 1.0.0.');
    expect(shown['/@acme/forms/ask?q=fill+a+mapping']).toContain('Call fill with a mapping.');
    expect(shown['/@acme/forms/diff?from=1.0.0&to=1.1.0']).toContain('+Text of 1.1.0.');
    expect(shown['/search?q=forms']).toContain('href="/@acme/forms"');
    // A result says why it was found, and what the scan says.
    const found = await (await member.get('/search?q=call+with+a+mapping')).text();
    expect(found).toMatch(/class="found[^>]*><mark>Call<\/mark> fill with a <mark>mapping<\/mark>/);
    expect(found.slice(found.indexOf('id="results"'))).toContain('clean');
    // Its abilities, and its entries in the log.
    expect(shown['/@acme/forms/safety']).toContain('What it can do');
    expect(shown['/log']).not.toContain('forms');
    expect(shown['/@acme/forms/files']).toMatch(/<summary><bdi>references\/<\/bdi>/);
    expect((await call('admin', 'PATCH skills/@acme/forms', { visibility: 'public' })).status).toBe(200);
    const log = await (await stranger.get('/log')).text();
    expect(log).toContain('href="/@acme/forms/1.0.0"');
    expect(await (await stranger.get('/log?before=0')).text()).toContain('No entries yet');
    await call('admin', 'PATCH skills/@acme/forms', { visibility: 'private' });
    for (const path of skill.slice(0, -3)) {
      const hidden = await (await stranger.get(path)).text();
      const missing = await (await stranger.get(path.replace('forms', 'nothing'))).text();
      expect(hidden.replaceAll('forms', 'nothing')).toBe(missing);
    }
    expect((await (await stranger.get('/')).text()).includes('@acme')).toBe(false);
    expect((await stranger.get('/admin/accounts')).headers.get('location')).toBe(
      '/signin?return=%2Fadmin%2Faccounts',
    );
  });

  test('forms need their token; files of strangers are plain text in a sandbox', async (context) => {
    const { member } = await world(context);
    expect((await member.post('/@acme/forms/1.0.0/yank', { reason: 'old' })).status).toBe(403);
    const csrf = await member.csrf();
    expect((await member.post('/@acme/forms/1.0.0/yank', { csrf, reason: 'old' })).status).toBe(303);
    expect(await (await member.get('/@acme/forms/versions')).text()).toContain('Undo yank');
    const created = await member.post('/settings/tokens', { csrf, name: 'ci', scopes: 'read', days: '7' });
    expect([created.status, created.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await created.text()).toContain('It is not shown again');
    const raw = await member.get('/@acme/forms/1.0.0/raw/references/page.html');
    expect(
      Object.fromEntries(
        ['content-type', 'content-security-policy'].map((name) => [name, raw.headers.get(name)]),
      ),
    ).toEqual({
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    });
    expect((await member.get('/@acme/forms/1.0.0/raw/..%2F..%2Fready')).status).toBe(404);
  });

  test('a refused form stays on its page, with what was typed and the reason beside the field', async (context) => {
    const { member, registry, publish, call, app, tokens } = await world(context);
    registry.settings.review = 'all';
    await publish('@acme/forms@1.2.0', { files: files('Text of 1.2.0.', '1.2.0') });
    const { id: report } = (
      await call('reader', 'POST skills/@acme/forms/reports', {
        version: '1.0.0',
        kind: 'spam',
        message: 'see',
      })
    ).value as { id: string };
    await publish('@acme/second@1.0.0');
    const { id: application } = (
      await call('admin', 'POST skills/@acme/second/verification', { statement: 'Acme Ltd' })
    ).value as { id: string };
    const csrf = await member.csrf();
    const long = 'x'.repeat(600);
    const cases: [
      path: string,
      fields: Record<string, string>,
      status: number,
      id: string,
      reason: RegExp,
    ][] = [
      ['/@acme/publishers', { skill: 'x', issuer: 'no', repository: 'r' }, 400, 'field-issuer', /./],
      ['/@acme/webhooks', { url: 'http://127.0.0.1/x' }, 400, 'field-url', /cannot reach this address/],
      ['/settings/tokens', { name: '', scopes: 'read' }, 400, 'field-name', /./],
      ['/settings/owners', { name: 'ac-me' }, 409, 'field-name', /./],
      ['/settings/owners', { name: 'acme', title: 'Other' }, 409, 'field-name', /exists already/],
      ['/settings/owners', { name: 'No Good' }, 400, 'field-name', /./],
      [
        '/admin/mirrors',
        { owner: 'acme', source: '/etc' },
        400,
        'field-source',
        /a mirror is the https address/,
      ],
      [
        '/admin/mirrors',
        { owner: 'acme', source: 'https://a.b/c', everyMinutes: '1' },
        400,
        'field-everyMinutes',
        />=5/,
      ],
      ['/admin/invitations', { account: 'a b' }, 400, 'field-account', /./],
      ['/admin/accounts/publisher', { change: 'suspend', reason: '' }, 400, 'suspend-publisher', /./],
      ['/@acme/forms/1.0.0/yank', { reason: long }, 400, 'yank-1.0.0', /<=500/],
      ['/@acme/forms/1.0.0/quarantine', { reason: '' }, 400, 'field-reason', /./],
      ['/@acme/forms/settings', { deprecated: long, part: 'deprecation' }, 400, 'field-deprecated', /<=500/],
      ['/@acme/forms/settings', { visibility: 'hidden' }, 400, 'field-visibility', /./],
      [
        '/@acme/forms/reports',
        { message: long, kind: 'spam', version: '1.0.0' },
        400,
        'field-message',
        /<=500/,
      ],
      ['/@acme/forms/reports', { message: 'look', kind: 'spite', version: '1.0.0' }, 400, 'field-kind', /./],
      ['/review/@acme/forms/1.2.0', { reason: long, decision: 'approve' }, 400, 'field-reason', /<=500/],
      ['/@acme/forms/settings/verification', { statement: '', url: '' }, 400, 'field-statement', /./],
      [
        `/admin/verifications/${application}`,
        { reason: long, decision: 'grant' },
        400,
        `decide-${application}`,
        /<=500/,
      ],
      [`/admin/reports/${report}/resolve`, { resolution: long }, 400, `resolve-${report}`, /<=500/],
    ];
    for (const [path, fields, status, id, reason] of cases) {
      const response = await member.post(path, { csrf, ...fields });
      const text = await response.text();
      expect([path, response.status]).toEqual([path, status]);
      const [, said] = new RegExp(`id="${id}-error">([^<]*)<`).exec(text) ?? [];
      expect([path, said?.replaceAll('&gt;', '>').replaceAll('&lt;', '<')]).toEqual([
        path,
        expect.stringMatching(reason),
      ]);
      const typed = Object.values(fields)[0]!;
      if (typed !== 'hidden') expect(text).toContain(typed);
    }

    // The report stays with the version it is about, and a choice stays chosen.
    const about = { message: long, kind: 'spam', version: '1.0.0' };
    const again = await (await member.post('/@acme/forms/reports', { csrf, ...about })).text();
    expect(again).toContain('name="version" value="1.0.0"');
    expect(again).toMatch(/<option value="spam" selected/);
    const unknown = { message: 'look', kind: 'spam', version: '9.9.9' };
    expect((await member.post('/@acme/forms/reports', { csrf, ...unknown })).status).toBe(404);

    // Only an admin of the namespace may switch this off.
    await call('admin', 'PATCH skills/@acme/forms', { requireProvenance: true });
    const publisher = new TestBrowser(app);
    await publisher.post('/signin', { token: tokens.publisher, return: '/' });
    const refused = await publisher.post('/@acme/forms/settings', {
      csrf: await publisher.csrf(),
      part: 'access',
      visibility: 'private',
    });
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringMatching(/id="field-requireProvenance-error">your role or token does not allow this</),
    ]);
  });

  test('a private namespace shows its offer to the account it is for, and to nobody else', async (context) => {
    const { registry, app, tokens, call, pass } = await openSkillWorld(open, context);
    const closedId = await addOwner(registry, 'closed');
    await addAccount(registry, 'closed-reader', { roles: [[closedId, 'reader']] });
    await registry.database.query(`update owners set title = 'Hush' where name = 'closed'`);
    const offer = await call('root', 'POST owners/@closed/transfer', { to: 'reader' });
    expect(offer.status).toBe(201);
    const enter = async (token: string) => {
      const browser = new TestBrowser(app);
      await browser.post('/signin', { token, return: '/' });
      return browser;
    };
    const [reader, other] = [await enter(tokens.reader), await enter(tokens.publisher)];
    const page = async (browser: TestBrowser, name: string) => {
      const response = await browser.get(`/@${name}`);
      return `${response.status} ${await response.text()}`.replaceAll(name, '');
    };
    const shown = await page(reader, 'closed');
    expect(shown).toMatch(/^200 .*Hush.*offers you @/s);
    expect(shown).not.toMatch(/Members|closed-reader/);
    const missing = await page(other, 'nothing');
    expect(missing).toMatch(/^404 /);
    expect(await page(other, 'closed')).toBe(missing);
    expect(await page(new TestBrowser(app), 'closed')).toBe(await page(new TestBrowser(app), 'nothing'));

    const csrf = await reader.csrf();
    const address = `/settings/transfers/${(offer.value as { id: string }).id}`;
    expect((await reader.post(address, { csrf })).status).toBe(400);
    pass(8 * 86_400_000);
    expect(await page(await enter(tokens.reader), 'closed')).toMatch(/^404 /);
    pass(-8 * 86_400_000);
    const again = await enter(tokens.reader);
    const accepted = await again.post(address, { csrf: await again.csrf(), answer: 'accept' });
    expect([accepted.status, await page(again, 'closed')]).toEqual([
      303,
      expect.stringContaining('Members of @'),
    ]);
  });

  test('a skill of one file that nobody has downloaded says so', async (context) => {
    const { publish, member } = await world(context);
    await publish('@acme/single@1.0.0');
    const page = await (await member.get('/@acme/single')).text();
    expect(page).toMatch(/<dd>\d+ bytes in 1 file<\/dd>/);
    expect(page).toContain('No downloads yet.');
  });

  test('roles that are offered say so: to the account, and on the page of the namespace', async (context) => {
    const { member, app, tokens } = await world(context);
    const csrf = await member.csrf();
    const words = async (browser: TestBrowser, path: string) =>
      (await (await browser.get(path)).text()).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    const invite = { csrf, account: 'stranger', roles: 'publisher' };
    expect((await member.post('/@acme/members', invite)).status).toBe(303);
    const stranger = new TestBrowser(app);
    await stranger.post('/signin', { token: tokens.stranger, return: '/' });
    for (const path of ['/settings', '/@acme']) {
      const shown = await words(stranger, path);
      expect(shown).toMatch(/invites you to @acme Accept before .* to become publisher\./);
      expect(shown).not.toContain('only admin');
    }
    expect(await words(member, '/@acme')).toContain('stranger invited publisher Withdraw');
    expect((await member.post('/@acme/members', { csrf, account: 'stranger' })).status).toBe(303);
    expect(await words(member, '/@acme')).not.toContain('stranger');
    expect(await words(stranger, '/settings')).not.toContain('invites you');
  });

  test('namespaces: webhooks, an offer and its answer; accounts: sessions, invitations, suspension', async (context) => {
    const { member, app, tokens } = await world(context);
    const csrf = await member.csrf();
    const added = await member.post('/@acme/webhooks', { csrf, url: 'https://hooks.example/x' });
    expect([added.status, added.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await added.text()).toMatch(/skwh_[\w-]{40}/);
    const page = await (await member.get('/@acme')).text();
    expect([page.includes('https://hooks.example/x'), page.includes('skwh_')]).toEqual([true, false]);
    const [, hook] = /\/webhooks\/([\w-]+)\/remove/.exec(page)!;
    expect((await member.post(`/@acme/webhooks/${hook}/remove`, { csrf })).status).toBe(303);
    expect(await (await member.get('/@acme')).text()).toContain('No webhooks');

    await member.post('/@acme/transfer', { csrf, to: 'reader' });
    expect(await (await member.get('/@acme')).text()).toContain('Withdraw');
    const reader = new TestBrowser(app);
    await reader.post('/signin', { token: tokens.reader, return: '/' });
    const offered = await (await reader.get('/@acme')).text();
    const [, offer] = /action="\/settings\/transfers\/([\w-]+)"/.exec(offered)!;
    const answer = { csrf: await reader.csrf(), answer: 'decline' };
    expect((await reader.post(`/settings/transfers/${offer}`, answer)).status).toBe(303);
    expect(await (await reader.get('/@acme')).text()).not.toContain('/settings/transfers/');

    const other = new TestBrowser(app);
    await other.post('/signin', { token: tokens.root, return: '/' });
    expect((await (await member.get('/settings/sessions')).text()).match(/\/end"/g)).toHaveLength(1);
    expect((await member.post('/settings/sessions/end-others', { csrf })).status).toBe(303);
    expect((await other.get('/settings')).headers.get('location')).toBe('/signin?return=%2Fsettings');
    expect((await member.get('/settings')).status).toBe(200);

    const invited = await (await member.post('/admin/invitations', { csrf, account: 'lee' })).text();
    const [, link] = /http:\/\/registry\.test(\/invite\/[\w-]+)/.exec(invited)!;
    const [, invitation] = /\/admin\/invitations\/([\w-]+)\/withdraw/.exec(invited)!;
    expect((await other.get(link!)).status).toBe(200);
    expect((await member.post(`/admin/invitations/${invitation}/withdraw`, { csrf })).status).toBe(303);
    expect((await other.get(link!)).status).toBe(404);

    const reason = 'left the company';
    expect((await member.post('/admin/accounts/publisher', { csrf, change: 'suspend', reason })).status).toBe(
      303,
    );
    expect(await (await member.get('/admin/accounts')).text()).toContain(`title="${reason}"`);
  });

  test('the log page shows the key and the checkpoint, and so does the page about safety', async (context) => {
    const made = await openSkillWorld(open, context);
    await made.publish('@acme/forms@1.0.0');
    const member = new TestBrowser(made.app);
    await member.post('/signin', { token: made.tokens.root, return: '/' });
    expect(await (await member.get('/log')).text()).toContain('signed when you ask for it');
    const key = (await (await member.get('/log/key')).text()).trim();
    const checkpoint = (await (await member.get('/log/checkpoint')).text()).split('\n');
    const log = await (await member.get('/log')).text();
    expect(log.replaceAll('&#43;', '+')).toContain(key);
    expect([
      checkpoint[1],
      /<dd>1<\/dd>/.test(log),
      /<a href="\/log\/checkpoint">signed <time/.test(log),
    ]).toEqual(['1', true, true]);
    const safety = await (await member.get('/@acme/forms/safety')).text();
    expect(safety).toMatch(/<a href="\/log\/checkpoint">signed <time/);
    expect(safety).toContain('href="/api/v1/skills/@acme/forms/1.0.0/proof"');
  });

  test('filters of the search page are read once for all who see the same skills', async (context) => {
    const { registry, member, stranger } = await world(context);
    const asked: string[] = [];
    const { query } = registry.database;
    registry.database.query = (sql, parameters) => {
      if (sql.includes('counted as (')) asked.push(sql);
      return query.call(registry.database, sql, parameters) as never;
    };
    const pages = [];
    for (const q of ['f', 'fo', 'for', 'form']) pages.push(await (await member.get(`/search?q=${q}`)).text());
    expect(asked).toHaveLength(1);
    expect(pages[3]).toContain('<option value="acme">@acme</option>');
    expect(await (await stranger.get('/search?q=form')).text()).not.toContain('@acme');
    expect(asked).toHaveLength(2);
  });
});
