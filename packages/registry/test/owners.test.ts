import type { Owner, Transfer } from 'skillwright/registry-protocol';
import { expect, test } from 'vitest';
import { onBothDatabases } from './open-test-registry.ts';
import { addAccount, addSkill, auditOf } from './test-accounts.ts';
import { accept, clientOf } from './test-client.ts';

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
    const [, offering] = await anna('PUT', '/owners/@one/members/bert', { roles: ['reviewer', 'publisher'] });
    expect([(offering as Owner).members, (offering as Owner).offered]).toEqual([
      [{ account: 'anna', roles: ['admin'] }],
      [{ account: 'bert', roles: ['publisher', 'reviewer'] }],
    ]);
    expect(await bert('GET', '/owners/@one')).toEqual(missing);
    expect((await accept(bert, 'one'))[0]).toBe(200);
    const [, owner] = await anna('GET', '/owners/@one');
    expect((owner as Owner).offered).toBeUndefined();
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
    expect((await bert('PUT', '/owners/@one/members/bert', { roles: [] }))[0]).toBe(200);
    expect(await bert('GET', '/owners/@one')).toEqual(missing);
    expect(await auditOf(registry)).toEqual([
      'anna owner.create',
      'anna member.offer',
      'bert owner.member',
      'bert owner.member',
    ]);
  });

  test('two admins who leave at once: one stays', async (context) => {
    const { app, registry } = await open(context);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    const bert = clientOf(app, await addAccount(registry, 'bert'));
    await anna('PUT', '/owners/@one', {});
    await anna('PUT', '/owners/@one/members/bert', { roles: ['admin'] });
    await accept(bert, 'one');
    const answers = await Promise.all([
      anna('PUT', '/owners/@one/members/anna', { roles: [] }),
      bert('PUT', '/owners/@one/members/bert', { roles: [] }),
    ]);
    expect(answers.map(([status]) => status).toSorted()).toEqual([200, 409]);
  });
});

onBothDatabases('offered roles', (open) => {
  test('answer alike for accounts that exist and those that do not', async (context) => {
    const { app, registry } = await open(context);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    const bert = clientOf(app, await addAccount(registry, 'bert'));
    await anna('PUT', '/owners/@one', {});
    const spell = ([status, body]: readonly [number, unknown], name: string) => [
      status,
      JSON.stringify(body)
        .replaceAll(name, '*')
        .replaceAll(/"(?:id|expires|created)":"[^"]+"/g, ''),
    ];
    const trial = async (name: string) => [
      spell(await anna('PUT', `/owners/@one/members/${name}`, { roles: ['publisher'] }), name),
      spell(await anna('GET', '/owners/@one'), name),
      spell(await anna('GET', '/invitations'), name),
      spell(await anna('PUT', `/owners/@one/members/${name}`, { roles: [] }), name),
      spell(await anna('PUT', `/owners/@one/members/${name}`, { roles: [] }), name),
      spell(await anna('POST', '/owners/@one/transfer', { to: name }), name),
    ];
    expect(await trial('bert')).toEqual(await trial('nobody'));
    // The last offer replaced the one to bert; an account that is made later is not meant.
    expect(await accept(bert, 'one')).toEqual(noOffer);
    const nobody = clientOf(app, await addAccount(registry, 'nobody'));
    expect(await accept(nobody, 'one')).toEqual(noOffer);
  });

  test('a smaller role counts at once, a greater one waits', async (context) => {
    const { app, registry } = await open(context);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    const bert = clientOf(app, await addAccount(registry, 'bert'));
    await anna('PUT', '/owners/@one', {});
    const rolesOf = async () => {
      const [, owner] = await anna('GET', '/owners/@one');
      return (owner as Owner).members?.find(({ account }) => account === 'bert')?.roles;
    };
    const give = (...roles: string[]) => anna('PUT', '/owners/@one/members/bert', { roles });
    await give('publisher');
    await accept(bert, 'one');
    await give('reader');
    expect(await rolesOf()).toEqual(['reader']);
    await give('reader', 'admin');
    expect(await rolesOf()).toEqual(['reader']);
    await accept(bert, 'one');
    expect(await rolesOf()).toEqual(['admin', 'reader']);
    // Roles that managers give themselves need nobody else's consent.
    expect((await bert('PUT', '/owners/@one/members/bert', { roles: ['admin', 'publisher'] }))[0]).toBe(200);
    expect(await rolesOf()).toEqual(['admin', 'publisher']);
  });

  test('are withdrawn and declined, and end with the one who offered them', async (context) => {
    const { app, registry, pass } = await open(context);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    const bert = clientOf(app, await addAccount(registry, 'bert'));
    const eve = clientOf(app, await addAccount(registry, 'eve'));
    await anna('PUT', '/owners/@one', {});
    const offer = async () => {
      await anna('PUT', '/owners/@one/members/bert', { roles: ['publisher'] });
      const [, list] = await anna('GET', '/invitations');
      const { invitations } = list as { invitations: { id: string; account: string; kind: string }[] };
      expect(invitations).toMatchObject([{ account: 'bert', kind: 'roles', by: 'anna' }]);
      return invitations[0]!.id;
    };
    const withdrawn = await offer();
    expect((await eve('DELETE', `/invitations/${withdrawn}`))[0]).toBe(404);
    expect((await eve('GET', '/invitations'))[1]).toEqual({ invitations: [] });
    expect((await anna('DELETE', `/invitations/${withdrawn}`))[0]).toBe(204);
    expect(await accept(bert, 'one')).toEqual(noOffer);
    const declined = await offer();
    expect((await bert('POST', `/transfers/${declined}/decline`))[0]).toBe(200);
    expect(await accept(bert, 'one')).toEqual(noOffer);
    await offer();
    pass(7 * 86_400_000 + 1);
    expect(await accept(bert, 'one')).toEqual(noOffer);
  });

  test('do not silence a rating; having published does', async (context) => {
    const { app, registry } = await open(context);
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    const critic = clientOf(app, await addAccount(registry, 'critic'));
    await anna('PUT', '/owners/@one', {});
    await addSkill(registry, { owner: 'one', name: 'shown', visibility: 'public' });
    const rate = async () => (await critic('PUT', '/skills/@one/shown/rating', { stars: 1 }))[0];
    await anna('PUT', '/owners/@one/members/critic', { roles: ['publisher'] });
    expect(await rate()).toBe(200);
    await registry.database.query(
      `insert into versions (skill_id, version, archive_digest, archive_size, document, document_digest, manifest, scan, published_by)
       select s.id, '1.0.0', 'sha256:x', 1, '{}', 'sha256:y', '{}', '{}', a.id from skills s, accounts a where a.name = 'critic'`,
    );
    expect(await rate()).toBe(403);
  });
});

onBothDatabases('namespaces of one account', (open) => {
  test('are limited, unless the account administers the registry', async (context) => {
    const { app, registry, adminToken } = await open(context, { maxOwners: 2 });
    const anna = clientOf(app, await addAccount(registry, 'anna'));
    const bert = clientOf(app, await addAccount(registry, 'bert'));
    for (const name of ['one', 'two']) expect((await anna('PUT', `/owners/@${name}`, {}))[0]).toBe(201);
    const full = {
      code: 'forbidden',
      message:
        'you have created 2 namespaces, as many as this registry allows; ask an administrator for another one',
    };
    expect(await anna('PUT', '/owners/@three', {})).toEqual([403, { error: full }]);
    // Giving one away makes no room.
    await anna('POST', '/owners/@one/transfer', { to: 'bert' });
    await accept(bert, 'one');
    expect((await anna('PUT', '/owners/@three', {}))[0]).toBe(403);
    expect((await bert('PUT', '/owners/@three', {}))[0]).toBe(201);
    const root = clientOf(app, adminToken);
    for (const name of ['four', 'five', 'six'])
      expect((await root('PUT', `/owners/@${name}`, {}))[0]).toBe(201);
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
    await accept(bert, 'one');
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
      'anna member.offer',
      'bert owner.member',
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
    await accept(carl, 'one');
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
      'anna member.offer',
      'carl owner.member',
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
    await accept(carl, 'one');
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
