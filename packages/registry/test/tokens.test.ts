import type { CreatedToken } from 'skillwright/registry-protocol';
import { expect, test } from 'vitest';
import { onBothDatabases } from './open-test-registry.ts';
import { addAccount, auditOf } from './test-accounts.ts';
import { clientOf } from './test-client.ts';

const denied = [
  401,
  { error: { code: 'unauthorised', message: 'this token is unknown, expired or revoked' } },
];
const DAY = 86_400_000;

onBothDatabases('tokens', (open) => {
  test('are made, listed without their secret, used and revoked', async (context) => {
    const { app, registry, adminToken } = await open(context);
    const admin = clientOf(app, adminToken);
    const [status, made] = (await admin('POST', '/tokens', {
      name: 'laptop',
      scopes: ['read', 'publish'],
      days: 30,
    })) as [number, CreatedToken];
    expect([status, { ...made, id: '', token: '', prefix: '', created: '', expires: '' }]).toEqual([
      201,
      {
        id: '',
        name: 'laptop',
        prefix: '',
        scopes: ['read', 'publish'],
        owner: null,
        created: '',
        expires: '',
        used: null,
        token: '',
      },
    ]);
    const { token, ...info } = made;
    expect(token.startsWith(info.prefix)).toBe(true);
    const [, list] = await admin('GET', '/tokens');
    expect((list as { tokens: unknown[] }).tokens).toContainEqual(info);
    expect(JSON.stringify(list)).not.toContain(token);
    const laptop = clientOf(app, token);
    expect(await laptop('GET', '/whoami')).toEqual([
      200,
      {
        account: 'admin',
        displayName: '',
        isAdmin: true,
        token: { id: info.id, name: 'laptop', scopes: ['read', 'publish'], expires: info.expires },
        owners: [],
        transfers: [],
      },
    ]);
    expect(await admin('DELETE', `/tokens/${info.id}`)).toEqual([204, null]);
    expect(await laptop('GET', '/whoami')).toEqual(denied);
    expect(await auditOf(registry)).toEqual(['admin token.create', 'admin token.revoke']);
    const stored = await registry.database.query('select * from secrets');
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  test('expire, and write their use at most once a minute', async (context) => {
    const { app, registry, adminToken, pass } = await open(context);
    const [, made] = await clientOf(app, adminToken)('POST', '/tokens', {
      name: 'short',
      scopes: ['read'],
      days: 1,
    });
    const { id, token } = made as CreatedToken;
    const short = clientOf(app, token);
    const used = async () => {
      const [row] = await registry.database.query<{ used_at: Date | null }>(
        'select used_at from secrets where id = $1',
        [id],
      );
      return row!.used_at?.getTime();
    };
    await short('GET', '/whoami');
    await expect.poll(used).toBeDefined();
    const first = await used();
    pass(30_000);
    await short('GET', '/whoami');
    pass(31_000);
    expect(await used()).toBe(first);
    await short('GET', '/whoami');
    await expect.poll(used).toBeGreaterThan(first! + 60_000);
    pass(DAY);
    expect(await short('GET', '/whoami')).toEqual(denied);
  });

  test('a stolen token for publishing makes no tokens, and cannot list or revoke others', async (context) => {
    const { app, registry } = await open(context);
    await addAccount(registry, 'anna');
    const stolen = clientOf(app, await addAccount(registry, 'anna', { scopes: ['read', 'publish'] }));
    const [row] = await registry.database.query<{ id: string }>(
      `select id from secrets where details->>'name' = 'token of anna' and 'owner' = any(scopes)`,
    );
    const refused = [
      403,
      {
        error: {
          code: 'forbidden',
          message: 'managing tokens needs a token with scope owner, or a person who is signed in',
        },
      },
    ];
    expect(await stolen('POST', '/tokens', { name: 'more', scopes: ['read'] })).toEqual(refused);
    expect(await stolen('GET', '/tokens')).toEqual(refused);
    expect(await stolen('GET', '/sessions')).toEqual(refused);
    expect(await stolen('DELETE', `/tokens/${row!.id}`)).toEqual(refused);
  });

  test('a token gives rights it has, and no others', async (context) => {
    const { app, registry, adminToken } = await open(context);
    const anna = clientOf(app, await addAccount(registry, 'anna', { scopes: ['read', 'owner'] }));
    const admin = clientOf(app, adminToken);
    expect(await anna('POST', '/tokens', { name: 'x', scopes: ['read', 'publish', 'admin'] })).toEqual([
      403,
      { error: { code: 'forbidden', message: 'you cannot give rights you do not have: publish, admin' } },
    ]);
    // Even a token that claims the scope gets nothing its account does not have.
    const claims = clientOf(app, await addAccount(registry, 'anna', { scopes: ['owner', 'admin'] }));
    expect((await claims('POST', '/tokens', { name: 'x', scopes: ['admin'] }))[0]).toBe(403);
    expect((await claims('GET', '/admin/accounts'))[0]).toBe(403);
    expect((await admin('POST', '/tokens', { name: 'x', scopes: ['admin'] }))[0]).toBe(201);
  });

  test('children expire with their parent and are revoked with it', async (context) => {
    const { app, registry } = await open(context);
    const expiresAt = new Date(registry.now().getTime() + 5 * DAY);
    const parent = clientOf(app, await addAccount(registry, 'anna', { expiresAt }));
    const [, child] = (await parent('POST', '/tokens', {
      name: 'child',
      scopes: ['read', 'owner'],
      days: null,
    })) as [number, CreatedToken];
    expect(child.expires).toBe(expiresAt.toISOString());
    const [, grandchild] = await clientOf(app, child.token)('POST', '/tokens', {
      name: 'grandchild',
      scopes: ['read'],
    });
    const grandchildClient = clientOf(app, (grandchild as CreatedToken).token);
    expect((await grandchildClient('GET', '/whoami'))[0]).toBe(200);
    const [row] = await registry.database.query<{ id: string }>(
      `select id from secrets where details->>'name' = 'token of anna'`,
    );
    // Every token can revoke itself.
    expect(await parent('DELETE', `/tokens/${row!.id}`)).toEqual([204, null]);
    expect(await clientOf(app, child.token)('GET', '/whoami')).toEqual(denied);
    expect(await grandchildClient('GET', '/whoami')).toEqual(denied);
  });

  test('a token limited to a namespace reaches no other, and neither do tokens made with it', async (context) => {
    const { app, registry } = await open(context);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    for (const name of ['one', 'two']) expect((await anna('PUT', `/owners/@${name}`, {}))[0]).toBe(201);
    const [, made] = await anna('POST', '/tokens', { name: 'one', scopes: ['read', 'owner'], owner: 'one' });
    const limited = clientOf(app, (made as CreatedToken).token);
    const [, who] = await limited('GET', '/whoami');
    expect((who as { owners: unknown }).owners).toEqual([{ name: 'one', roles: ['admin'] }]);
    expect((await limited('GET', '/owners/@one'))[0]).toBe(200);
    expect(await limited('GET', '/owners/@two')).toEqual(await limited('GET', '/owners/@missing'));
    expect((await limited('PUT', '/owners/@two/members/admin', { roles: ['reader'] }))[0]).toBe(404);
    expect((await limited('PUT', '/owners/@three', {}))[0]).toBe(403);
    expect((await limited('POST', '/tokens', { name: 'x', scopes: ['read'] }))[0]).toBe(403);
    expect((await limited('POST', '/tokens', { name: 'x', scopes: ['read'], owner: 'two' }))[0]).toBe(404);
    expect((await limited('POST', '/tokens', { name: 'x', scopes: ['read'], owner: 'one' }))[0]).toBe(201);
    expect((await limited('GET', '/sessions'))[0]).toBe(403);
    const [, all] = await limited('GET', '/tokens');
    expect((all as { tokens: { name: string }[] }).tokens.map(({ name }) => name).toSorted()).toEqual([
      'one',
      'x',
    ]);
  });

  test('tokens of others look like tokens that do not exist', async (context) => {
    const { app, registry } = await open(context);
    const bert = clientOf(app, await addAccount(registry, 'bert'));
    await addAccount(registry, 'anna');
    const [row] = await registry.database.query<{ id: string }>(
      `select id from secrets where details->>'name' = 'token of anna'`,
    );
    expect(await bert('DELETE', `/tokens/${row!.id}`)).toEqual(await bert('DELETE', '/tokens/missing'));
  });

  test('malformed, unknown and well-made false tokens get the same answer', async (context) => {
    const { app, adminToken } = await open(context);
    const last = adminToken.endsWith('A') ? 'B' : 'A';
    for (const token of ['x', 'skwr_', `${adminToken.slice(0, -1)}${last}`, adminToken.toLowerCase()])
      expect(await clientOf(app, token)('GET', '/whoami')).toEqual(denied);
    const basic = await app.request('/api/v1/whoami', { headers: { authorization: 'Basic eDp5' } });
    expect([basic.status, basic.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer resource_metadata="http://registry.test/.well-known/oauth-protected-resource"',
    ]);
    expect(await clientOf(app)('GET', '/whoami')).toEqual([
      401,
      { error: { code: 'unauthorised', message: 'sign in first' } },
    ]);
  });
});

onBothDatabases('administrators', (open) => {
  test('suspend accounts, and the next request obeys', async (context) => {
    const { app, registry, adminToken } = await open(context);
    const admin = clientOf(app, adminToken);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    expect((await anna('GET', '/whoami'))[0]).toBe(200);
    const [status, info] = await admin('PATCH', '/admin/accounts/anna', { suspended: 'spam' });
    expect([status, { ...(info as object), created: '' }]).toEqual([
      200,
      {
        name: 'anna',
        displayName: '',
        email: null,
        isAdmin: false,
        isModerator: false,
        suspended: 'spam',
        created: '',
        tokens: 1,
      },
    ]);
    expect(await anna('GET', '/whoami')).toEqual(denied);
    expect((await admin('PATCH', '/admin/accounts/anna', { suspended: null }))[0]).toBe(200);
    expect((await anna('GET', '/whoami'))[0]).toBe(200);
    expect(await admin('DELETE', '/admin/accounts/anna/tokens')).toEqual([200, { revoked: 1 }]);
    expect(await anna('GET', '/whoami')).toEqual(denied);
    expect(await auditOf(registry)).toEqual([
      'admin account.suspend',
      'admin account.restore',
      'admin account.revoke-all',
    ]);
  });

  test('make administrators; one always remains; old tokens do not become powerful again', async (context) => {
    const { app, registry, adminToken } = await open(context);
    const admin = clientOf(app, adminToken);
    const last = [
      409,
      { error: { code: 'conflict', message: 'the registry needs at least one administrator' } },
    ];
    expect(await admin('PATCH', '/admin/accounts/admin', { isAdmin: false })).toEqual(last);
    expect(await admin('PATCH', '/admin/accounts/admin', { suspended: 'me' })).toEqual(last);
    await addAccount(registry, 'anna');
    expect((await admin('PATCH', '/admin/accounts/anna', { isAdmin: true }))[0]).toBe(200);
    const anna = clientOf(app, await addAccount(registry, 'anna', { scopes: ['owner', 'admin'] }));
    expect((await anna('GET', '/admin/accounts'))[0]).toBe(200);
    await admin('PATCH', '/admin/accounts/anna', { isAdmin: false });
    expect((await anna('GET', '/admin/accounts'))[0]).toBe(403);
    await admin('PATCH', '/admin/accounts/anna', { isAdmin: true });
    expect((await anna('GET', '/admin/accounts'))[0]).toBe(403);
  });

  test('nobody else sees accounts or the audit log', async (context) => {
    const { app, registry, adminToken } = await open(context);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    for (const [method, path, body] of [
      ['GET', '/admin/accounts'],
      ['GET', '/admin/audit'],
      ['GET', '/admin/audit?owner=missing'],
      ['PATCH', '/admin/accounts/admin', { suspended: 'x' }],
      ['PATCH', '/admin/accounts/missing', { suspended: 'x' }],
      ['DELETE', '/admin/accounts/admin/tokens'],
      ['POST', '/invitations', { account: 'x' }],
    ] as const) {
      expect([path, (await anna(method, path, body))[0]]).toEqual([path, 403]);
      expect([path, (await clientOf(app)(method, path, body))[0]]).toEqual([path, 401]);
    }
    const [, page] = await clientOf(app, adminToken)('GET', '/admin/accounts');
    expect((page as { accounts: { name: string }[] }).accounts.map(({ name }) => name)).toEqual([
      'admin',
      'anna',
    ]);
  });

  test('read the audit log page by page; admins of a namespace read its part', async (context) => {
    const { app, registry, adminToken } = await open(context);
    const admin = clientOf(app, adminToken);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    await anna('PUT', '/owners/@one', { title: 'One' });
    await anna('PUT', '/owners/@one/members/admin', { roles: ['reader'] });
    await anna('POST', '/tokens', { name: 'x', scopes: ['read'] });
    const actions = (page: unknown) =>
      (page as { entries: { account: string; action: string }[] }).entries.map(
        ({ account, action }) => `${account} ${action}`,
      );
    const [, first] = await admin('GET', '/admin/audit?limit=2');
    expect(actions(first)).toEqual(['anna token.create', 'anna member.offer']);
    const { next } = first as { next: string };
    const [, second] = await admin('GET', `/admin/audit?limit=2&cursor=${next}`);
    expect([actions(second), (second as { next: null }).next]).toEqual([['anna owner.create'], null]);
    expect(actions((await admin('GET', '/admin/audit?action=owner'))[1])).toEqual(['anna owner.create']);
    expect(actions((await admin('GET', '/admin/audit?account=admin'))[1])).toEqual([]);
    const [, own] = await anna('GET', '/admin/audit?owner=one&limit=1');
    expect((own as { entries: { details: unknown; owner: string }[] }).entries).toMatchObject([
      { owner: 'one', action: 'member.offer', details: { to: 'admin', roles: ['reader'] } },
    ]);
    expect((await anna('GET', '/admin/audit'))[0]).toBe(403);
    expect((await admin('GET', '/admin/audit?limit=1000'))[0]).toBe(400);
  });
});
