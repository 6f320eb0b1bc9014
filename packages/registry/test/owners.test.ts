import type { Owner, Transfer } from 'skillwright/registry-protocol';
import { expect, test } from 'vitest';
import { onBothDatabases } from './open-test-registry.ts';
import { addAccount, addSkill, auditOf } from './test-accounts.ts';
import { clientOf } from './test-client.ts';

const missing = [
  404,
  { error: { code: 'not_found', message: 'no such skill, version or owner, or you may not see it' } },
];
const noOffer = [404, { error: { code: 'not_found', message: 'no such offer, or it has expired' } }];

onBothDatabases('namespaces', (open) => {
  test('are created once; names that are taken, reserved or look alike get one answer', async (context) => {
    const { app, registry, adminToken } = await open(context);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    const bert = clientOf(app, await addAccount(registry, 'bert'));
    const [status, owner] = await anna('PUT', '/owners/@modern-oil', {
      title: 'Oil',
      url: 'https://oil.test/',
    });
    expect([status, { ...(owner as Owner), created: '' }]).toEqual([
      201,
      {
        name: 'modern-oil',
        title: 'Oil',
        url: 'https://oil.test/',
        created: '',
        skills: 0,
        members: [{ account: 'anna', roles: ['admin'] }],
      },
    ]);
    const taken = [
      409,
      { error: { code: 'name_taken', message: 'this name is taken, reserved, or looks like another one' } },
    ];
    for (const name of ['modern-oil', 'modernoil', 'modem-oil', 'm0dern-0il', 'modern-01l', 'admin', 'a-p-i'])
      expect([name, await bert('PUT', `/owners/@${name}`, {})]).toEqual([name, taken]);
    expect(await bert('PUT', '/owners/@Not_A_Name', {})).toEqual(missing);
    expect((await clientOf(app)('PUT', '/owners/@free', {}))[0]).toBe(401);
    const reader = clientOf(app, await addAccount(registry, 'bert', { scopes: ['read', 'publish'] }));
    expect((await reader('PUT', '/owners/@free', {}))[0]).toBe(403);
    const [changed, after] = await anna('PUT', '/owners/@modern-oil', { title: 'Oil & gas' });
    expect([changed, (after as Owner).title]).toEqual([200, 'Oil & gas']);
    expect((await clientOf(app, adminToken)('PUT', '/owners/@modern-oil', { title: 'x' }))[0]).toBe(200);
    expect(await auditOf(registry)).toEqual(['anna owner.create', 'anna owner.change', 'admin owner.change']);
  });

  test('only administrators create them when the settings say so', async (context) => {
    const { app, registry, adminToken } = await open(context, { newOwners: 'admins' });
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    expect((await anna('PUT', '/owners/@one', {}))[0]).toBe(403);
    expect((await clientOf(app, adminToken)('PUT', '/owners/@one', {}))[0]).toBe(201);
  });

  test('two requests for one name at once: one gets it', async (context) => {
    const { app, registry } = await open(context);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    const bert = clientOf(app, await addAccount(registry, 'bert'));
    const answers = await Promise.all([
      anna('PUT', '/owners/@one-team', {}),
      bert('PUT', '/owners/@oneteam', {}),
    ]);
    expect(answers.map(([status]) => status).toSorted()).toEqual([201, 409]);
  });

  test('strangers see those with something public, and never the members', async (context) => {
    const { app, registry } = await open(context);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    const bert = clientOf(app, await addAccount(registry, 'bert'));
    const nobody = clientOf(app);
    await anna('PUT', '/owners/@one', {});
    await addSkill(registry, { owner: 'one', name: 'secret', visibility: 'private' });
    for (const stranger of [bert, nobody]) {
      expect(await stranger('GET', '/owners/@one')).toEqual(missing);
      expect(await stranger('GET', '/owners/@none')).toEqual(missing);
    }
    // Changes of an invisible namespace fail as those of one that does not exist.
    for (const [method, path, body] of [
      ['PUT', 'members/bert', { roles: ['admin'] }],
      ['PUT', 'members/bert', { roles: [] }],
      ['POST', 'transfer', { to: 'bert' }],
      ['GET', 'publishers', undefined],
      ['DELETE', 'publishers/x', undefined],
    ] as const) {
      expect(await bert(method, `/owners/@one/${path}`, body)).toEqual(missing);
      expect(await bert(method, `/owners/@none/${path}`, body)).toEqual(missing);
    }
    await addSkill(registry, { owner: 'one', name: 'shown', visibility: 'public' });
    const [status, seen] = await nobody('GET', '/owners/@one');
    expect([status, { ...(seen as Owner), created: '' }]).toEqual([
      200,
      { name: 'one', title: '', url: null, created: '', skills: 1 },
    ]);
    const [, own] = await anna('GET', '/owners/@one');
    expect([(own as Owner).skills, (own as Owner).members]).toEqual([
      2,
      [{ account: 'anna', roles: ['admin'] }],
    ]);
    expect((await bert('PUT', '/owners/@one/members/bert', { roles: ['admin'] }))[0]).toBe(403);
    expect((await nobody('POST', '/owners/@one/transfer', { to: 'bert' }))[0]).toBe(401);
  });

  test('have members with several roles; the last admin stays', async (context) => {
    const { app, registry } = await open(context);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    const bert = clientOf(app, await addAccount(registry, 'bert'));
    await anna('PUT', '/owners/@one', {});
    const [, owner] = await anna('PUT', '/owners/@one/members/bert', { roles: ['reviewer', 'publisher'] });
    expect((owner as Owner).members).toEqual([
      { account: 'anna', roles: ['admin'] },
      { account: 'bert', roles: ['publisher', 'reviewer'] },
    ]);
    expect((await bert('GET', '/owners/@one'))[0]).toBe(200);
    expect((await bert('PUT', '/owners/@one/members/bert', { roles: ['admin'] }))[0]).toBe(403);
    expect((await bert('PUT', '/owners/@one/members/anna', { roles: [] }))[0]).toBe(403);
    const stuck = [
      409,
      {
        error: { code: 'conflict', message: 'a namespace needs an admin: make another account admin first' },
      },
    ];
    expect(await anna('PUT', '/owners/@one/members/anna', { roles: [] })).toEqual(stuck);
    expect(await anna('PUT', '/owners/@one/members/anna', { roles: ['reader'] })).toEqual(stuck);
    expect((await anna('PUT', '/owners/@one/members/nobody', { roles: ['reader'] }))[0]).toBe(404);
    expect((await bert('PUT', '/owners/@one/members/bert', { roles: [] }))[0]).toBe(200);
    expect(await bert('GET', '/owners/@one')).toEqual(missing);
    expect(await auditOf(registry)).toEqual(['anna owner.create', 'anna owner.member', 'bert owner.member']);
  });

  test('two admins who leave at once: one stays', async (context) => {
    const { app, registry } = await open(context);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    const bert = clientOf(app, await addAccount(registry, 'bert'));
    await anna('PUT', '/owners/@one', {});
    await anna('PUT', '/owners/@one/members/bert', { roles: ['admin'] });
    const answers = await Promise.all([
      anna('PUT', '/owners/@one/members/anna', { roles: [] }),
      bert('PUT', '/owners/@one/members/bert', { roles: [] }),
    ]);
    expect(answers.map(([status]) => status).toSorted()).toEqual([200, 409]);
  });
});

onBothDatabases('changes of owners', (open) => {
  test('are leaves of the log that name no account to strangers; refused ones leave nothing', async (context) => {
    const { app, registry } = await open(context);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    const bert = clientOf(app, await addAccount(registry, 'bert'));
    await anna('PUT', '/owners/@one', {});
    await addSkill(registry, { owner: 'one', name: 'shown', visibility: 'public' });
    await anna('PUT', '/owners/@one/members/bert', { roles: ['reader', 'publisher'] });
    expect((await anna('PUT', '/owners/@one/members/anna', { roles: [] }))[0]).toBe(409);
    expect((await bert('PUT', '/owners/@one', { title: 'x' }))[0]).toBe(409);
    const [, offer] = await anna('POST', '/owners/@one/transfer', { to: 'bert' });
    await bert('POST', `/transfers/${(offer as Transfer).id}/accept`);
    const rows = await registry.database.query<{ entry: string; is_salted: boolean }>(
      'select entry, salt is not null as is_salted from log_leaves order by index',
    );
    const leaf = (change: string, account: string, roles: string[]) => ({
      isSalted: true,
      entry: { kind: 'owner', owner: 'one', change, account, roles, time: '' },
    });
    expect(
      rows.map(({ entry, is_salted: isSalted }) => ({ isSalted, entry: { ...JSON.parse(entry), time: '' } })),
    ).toEqual([
      leaf('created', 'anna', ['admin']),
      leaf('member', 'bert', ['reader', 'publisher']),
      leaf('transferred', 'bert', ['admin']),
    ]);
    expect(await auditOf(registry)).toEqual([
      'anna owner.create',
      'anna owner.member',
      'anna transfer.offer',
      'bert transfer.accept',
    ]);
  });
});

onBothDatabases('transfers', (open) => {
  test('are accepted by the recipient, who becomes the only admin', async (context) => {
    const { app, registry } = await open(context);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    const bert = clientOf(app, await addAccount(registry, 'bert'));
    const carl = clientOf(app, await addAccount(registry, 'carl'));
    await anna('PUT', '/owners/@one', {});
    await anna('PUT', '/owners/@one/members/carl', { roles: ['admin', 'publisher'] });
    const [status, offer] = (await anna('POST', '/owners/@one/transfer', { to: 'bert' })) as [
      number,
      Transfer,
    ];
    expect([status, { ...offer, id: '', expires: '' }]).toEqual([
      201,
      { id: '', owner: 'one', from: 'anna', to: 'bert', expires: '' },
    ]);
    const [, who] = await bert('GET', '/whoami');
    expect((who as { transfers: unknown }).transfers).toEqual([offer]);
    // Nobody else can accept; for everyone else it does not exist.
    for (const other of [anna, carl]) {
      expect(await other('POST', `/transfers/${offer.id}/accept`)).toEqual(noOffer);
      expect(await other('POST', '/transfers/missing/accept')).toEqual(noOffer);
    }
    const stolen = clientOf(app, await addAccount(registry, 'bert', { scopes: ['read', 'publish'] }));
    expect((await stolen('POST', `/transfers/${offer.id}/accept`))[0]).toBe(403);
    expect(await bert('POST', `/transfers/${offer.id}/accept`)).toEqual([200, offer]);
    expect(await bert('POST', `/transfers/${offer.id}/accept`)).toEqual(noOffer);
    const [, owner] = await bert('GET', '/owners/@one');
    expect((owner as Owner).members).toEqual([
      { account: 'bert', roles: ['admin'] },
      { account: 'carl', roles: ['publisher'] },
    ]);
    expect(await anna('GET', '/owners/@one')).toEqual(missing);
    expect(await auditOf(registry)).toEqual([
      'anna owner.create',
      'anna owner.member',
      'anna transfer.offer',
      'bert transfer.accept',
    ]);
  });

  test('end by expiry, refusal, a newer offer, or when the sender is admin no more', async (context) => {
    const { app, registry, pass } = await open(context);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    const bert = clientOf(app, await addAccount(registry, 'bert'));
    const carl = clientOf(app, await addAccount(registry, 'carl'));
    await anna('PUT', '/owners/@one', {});
    await anna('PUT', '/owners/@one/members/carl', { roles: ['admin'] });
    const offer = async () =>
      ((await anna('POST', '/owners/@one/transfer', { to: 'bert' })) as [number, Transfer])[1].id;
    const expired = await offer();
    pass(7 * 86_400_000 + 1);
    expect(await bert('POST', `/transfers/${expired}/accept`)).toEqual(noOffer);
    const refused = await offer();
    expect((await bert('POST', `/transfers/${refused}/decline`))[0]).toBe(200);
    expect(await bert('POST', `/transfers/${refused}/accept`)).toEqual(noOffer);
    const replaced = await offer();
    const takenBack = await offer();
    expect(await bert('POST', `/transfers/${replaced}/accept`)).toEqual(noOffer);
    expect((await carl('POST', `/transfers/${takenBack}/decline`))[0]).toBe(200);
    expect(await bert('POST', `/transfers/${takenBack}/accept`)).toEqual(noOffer);
    const orphaned = await offer();
    await carl('PUT', '/owners/@one/members/anna', { roles: [] });
    expect(await bert('POST', `/transfers/${orphaned}/accept`)).toEqual(noOffer);
  });
});
