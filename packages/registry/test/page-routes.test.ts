import { expect, test } from 'vitest';
import { onBothDatabases } from './open-test-registry.ts';
import { openSkillWorld, skillText } from './skill-world.ts';
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
    const { member, stranger } = await world(context);
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
      '/admin/accounts',
      '/admin/audit',
      '/admin/reports',
      '/admin/mirrors',
      '/admin/settings',
      '/status',
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
});
