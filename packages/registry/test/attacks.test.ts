// Attacks that belong to no single room: spellings of addresses, hosts, other sites, queries, and people who left.

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sweepWorkDirectories, withWorkDirectory } from '../src/base/work-directory.ts';
import { deliverWebhooks } from '../src/changes/deliver.ts';
import { indexKey } from '../src/reading/prepare-version.ts';
import { onBothDatabases } from './open-test-registry.ts';
import { addAccount, openSkillWorld, packedSkill } from './skill-world.ts';

onBothDatabases('attacks', (open) => {
  test('a skill has one spelling of its address', async (context) => {
    const world = await openSkillWorld(open, context);
    const { value } = await world.publish('@acme/alpha@1.0.0');
    const paths = [
      'skills/@acme%2falpha',
      'skills/@acme%2Falpha/1.0.0',
      'skills/@acme/alpha%2f1.0.0',
      'skills//@acme/alpha',
      'skills/@acme//alpha',
      'skills/@ACME/alpha',
      'skills/@acme/Alpha',
      'skills/@acme/alpha.',
      'skills/@acme/alpha%20',
      'skills/@acme/alpha%00',
      'skills/@acme/%61lpha%0d%0aX-Injected:%201',
      'skills/@acme/alpha/1.0.0.',
      'skills/@acme/alpha/01.0.0',
      'skills/@acme/alpha/1.0.0%00',
      'skills/@acm\u0435/alpha',
      'skills/@ａｃｍｅ/alpha',
      'skills/@acme\u200b/alpha',
      'skills/@@acme/alpha',
      'skills/acme/alpha',
      'skills/@acme/%E0%A4%A',
      'skills/@acme/..%2f..%2fhealthz',
      'skills/@acme/%2e%2e%2falpha',
      'read/@acme%2falpha/x/outline',
      'read/@acme/alpha@1.0.0%2f..%2f1.0.0/outline',
      'read/@acme/alpha@latest/outline',
      `archives/${String(value.archive).toUpperCase()}`,
      `archives/${value.archive}.index`,
      `archives/${value.archive}%2e%2e`,
      'skills/@acme/alpha/1.0.0/proof/..',
    ];
    for (const path of paths)
      for (const reader of ['stranger', 'reader'] as const) {
        const response = await world.app.request(`/api/v1/${path}`, {
          headers: { authorization: `Bearer ${world.tokens[reader]}` },
        });
        const text = await response.text();
        const isAlias = path === 'skills/@acme/alpha/1.0.0/proof/..' && reader === 'reader';
        expect([path, reader, response.status]).toEqual([path, reader, isAlias ? 200 : 404]);
        expect(response.headers.get('x-injected')).toBeNull();
        expect(response.headers.get('location')).toBeNull();
        if (!isAlias) expect(text).not.toContain('alpha');
      }
  });

  test('no header of a request makes an address in an answer', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/alpha@1.0.0');
    await world.call('admin', 'PATCH skills/@acme/alpha', { visibility: 'public' });
    const headers = {
      host: 'evil.example',
      forwarded: 'host=evil.example;proto=https',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-prefix': '/evil.example',
      'x-original-url': '/evil.example',
      'x-rewrite-url': '/evil.example',
    };
    for (const path of [
      '/.well-known/agent-skills/index.json',
      '/@acme/alpha/.well-known/agent-skills/index.json',
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource',
      '/feed.atom',
      '/openapi.json',
      '/signin',
      '/signout',
      '/device?code=X',
      '/api/v1/whoami',
      '/api/v1/search?q=alpha',
      '/api/v1/read/@acme/alpha/outline',
      '/log/checkpoint',
      '/nowhere',
    ]) {
      const request = new Request(`http://evil.example${path}`, { headers });
      const response = await world.app.fetch(request);
      const said = `${JSON.stringify([...response.headers])}${await response.text()}`;
      expect([path, said.includes('evil.example')]).toEqual([path, false]);
    }
  });

  test('other sites read public files only, and never as the person', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/alpha@1.0.0');
    const seen: Record<string, unknown> = {};
    for (const [method, path] of [
      ['GET', '/.well-known/oauth-protected-resource'],
      ['GET', '/.well-known/agent-skills/index.json'],
      ['GET', '/api/v1/search?q='],
      ['GET', '/api/v1/skills/@acme/alpha'],
      ['GET', '/api/v1/whoami'],
      ['OPTIONS', '/api/v1/skills/@acme/alpha'],
      ['OPTIONS', '/api/v1/tokens'],
      ['OPTIONS', '/mcp'],
    ] as const) {
      const response = await world.app.request(path, {
        method,
        headers: {
          origin: 'https://evil.example',
          authorization: `Bearer ${world.tokens.reader}`,
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'authorization',
        },
      });
      seen[`${method} ${path}`] = [...response.headers].filter(([name]) => name.startsWith('access-control'));
    }
    expect(seen).toEqual({
      'GET /.well-known/oauth-protected-resource': [['access-control-allow-origin', '*']],
      'GET /.well-known/agent-skills/index.json': [['access-control-allow-origin', '*']],
      'GET /api/v1/search?q=': [],
      'GET /api/v1/skills/@acme/alpha': [],
      'GET /api/v1/whoami': [],
      'OPTIONS /api/v1/skills/@acme/alpha': [],
      'OPTIONS /api/v1/tokens': [],
      'OPTIONS /mcp': [],
    });
  });

  test('texts of strangers never become markup in feeds and pages, or a header', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/alpha@1.0.0');
    await world.call('admin', 'PATCH skills/@acme/alpha', { visibility: 'public' });
    const reason = ']]><script>alert(1)</script>\r\nSet-Cookie: a=b\u0007';
    const yanked = await world.call('publisher', 'PATCH skills/@acme/alpha/1.0.0', { yanked: reason });
    expect(yanked.status).toBe(200);
    for (const path of [
      '/feed.atom',
      `/signin?return=${encodeURIComponent('/"><script>alert(1)</script>')}`,
      `/device?code=${encodeURIComponent('"><script>')}`,
      `/invite/${encodeURIComponent('"><script>alert(1)</script>')}`,
      `/signin/callback?error=${encodeURIComponent('<script>alert(1)</script>')}&state=x`,
      `/signin/start?provider=${encodeURIComponent('<script>')}`,
    ]) {
      const response = await world.app.request(path);
      const said = `${JSON.stringify([...response.headers])}${await response.text()}`;
      expect([path, /<script(?! src="\/assets\/)|set-cookie: a=b"/i.test(said)]).toEqual([path, false]);
      expect(response.status).toBeLessThan(500);
    }
    const archive = await world.ask('anonymous', `GET archives/${yanked.value.archive}`);
    expect([archive.status, archive.headers.get('set-cookie')]).toEqual([200, null]);
  });

  test('questions of any size and shape get an answer, and none is a mistake of the server', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/alpha@1.0.0');
    await world.call('admin', 'PATCH skills/@acme/alpha', { visibility: 'public' });
    const words = Array.from({ length: 10_000 }, (_, at) => `w${at}`).join('+');
    const huge = Number.MAX_SAFE_INTEGER;
    const cursor = (place: unknown) => Buffer.from(JSON.stringify(['x', place])).toString('base64url');
    const questions: Record<string, number> = {
      [`search?q=${words}`]: 400,
      [`search?q=${'x'.repeat(1_000_000)}`]: 400,
      'search?q=((((a%2B)%2B)%2B)%2B)$': 200,
      'search?q=%25%5F%5C%27%22%3B--': 200,
      'search?q=%00': 400,
      'search?q=%ED%A0%80': 200,
      'search?q=%F0%9F%92%A9%E2%80%8B%EF%BF%BE': 200,
      'search?q=a&limit=99999999999999999999': 400,
      'search?q=a&limit=-1': 400,
      'search?q=a&limit=1e9': 400,
      'search?q=a&limit=NaN': 400,
      'search?q=a&q=b': 200,
      'search?q[]=a': 200,
      'search?__proto__=x&q=a': 200,
      [`search?q=a&cursor=${cursor({ score: 1, id: huge, skills: huge, words: [huge], frequencies: [huge] })}`]: 400,
      [`search?q=&cursor=${cursor({ key: "'; drop table skills; --", id: 1 })}`]: 400,
      [`search?q=a&cursor=${'A'.repeat(100_000)}`]: 400,
      'search?q=a&owner=..%2f..': 400,
      'search?q=a&tag=%27%29%3Bselect': 200,
      [`find?q=${words}`]: 400,
      'find?q=%00': 400,
      [`read/@acme/alpha/search?query=${'x+'.repeat(20_000)}`]: 200,
      'read/@acme/alpha/search?query=%00': 200,
      'read/@acme/alpha/search?query=%22%22%22NEAR(': 200,
      'read/@acme/alpha/open?path=..%2f..%2f..%2fetc%2fpasswd': 400,
      'read/@acme/alpha/open?path=%2fetc%2fpasswd': 400,
      'read/@acme/alpha/open?path=%00': 400,
      'read/@acme/alpha/show?section=__proto__': 404,
      'admin/audit?cursor=99999999999999999999999': 400,
      'admin/accounts?cursor=%00': 400,
    };
    for (const [question, expected] of Object.entries(questions)) {
      const { status } = await world.ask('root', `GET ${question}`);
      expect([question.slice(0, 80), status]).toEqual([question.slice(0, 80), expected]);
    }
    const states = await world.call('anonymous', 'POST states', {
      installed: Array.from({ length: 101 }, () => ({ name: '@acme/alpha', version: '1.0.0' })),
    });
    expect(states.status).toBe(400);
  });

  test('a purge and a publication of the same bytes at once leave the publication whole', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.registry.database.query(`insert into roles (owner_id, account_id, role)
      select o.id, a.id, 'publisher' from owners o, accounts a where o.name = 'other' and a.name = 'publisher'`);
    for (let round = 0; round < 4; round++) {
      const name = `alpha-${round}`;
      const archive = packedSkill({ name, version: '1.0.0' });
      const { value } = await world.publish(`@acme/${name}@1.0.0`, { archive });
      await world.ask('reader', `GET read/@acme/${name}/outline`);
      const [published, purged] = await Promise.all([
        world.publish(`@other/${name}@1.0.0`, { archive }),
        world.call('root', `POST skills/@acme/${name}/1.0.0/purge`, { purged: 'a secret' }),
      ]);
      expect(purged.status).toBe(200);
      const { blobs, database } = world.registry;
      // An archive that was purged a moment before does not come back.
      if (published.status === 403) {
        expect(await blobs.get(value.archive)).toBeUndefined();
        continue;
      }
      expect(published.status).toBe(201);
      expect(await blobs.get(value.archive)).toBeDefined();
      expect(await blobs.get(indexKey(value.archive))).toBeDefined();
      expect(
        await database.query('select from served_entries where archive_digest = $1', [value.archive]),
      ).toHaveLength(1);
      expect((await world.ask('root', `GET read/@other/${name}/outline`)).status).toBe(200);
      // The last purge takes everything, the unpacked copy too.
      await world.call('root', `POST skills/@other/${name}/1.0.0/purge`, { purged: 'a secret' });
      expect(await blobs.get(indexKey(value.archive))).toBeUndefined();
      expect(readdirSync(join(world.data, 'cache', 'versions'))).toEqual([]);
    }
  });

  test('webhooks and mirrors stop when the account that added them no longer manages the namespace', async (context) => {
    const world = await openSkillWorld(open, context);
    const { registry } = world;
    const second = await addAccount(registry, 'second', { roles: [[world.ownerId, 'admin']] });
    await world.call('admin', 'POST owners/@acme/webhooks', { url: 'https://hooks.example/' });
    await world.call('admin', 'POST owners/@acme/mirrors', { source: 'https://host.example/x.git' });
    const bySecond = async (method: string, path: string, body?: unknown) => {
      const response = await world.app.request(`/api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${second}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await response.json()) as Record<string, unknown>;
    };
    await bySecond('PUT', 'owners/@acme/members/admin-of-acme', { roles: [] });
    await world.publish('@acme/alpha@1.0.0');
    const send = vi.fn();
    await deliverWebhooks(registry, { fetcher: { send } as never });
    expect(send).not.toHaveBeenCalled();
    const { webhooks } = await bySecond('GET', 'owners/@acme/webhooks');
    expect((webhooks as { disabled: string }[]).map(({ disabled }) => disabled)).toEqual([
      'the account that added it does not manage the namespace any more; add it again',
    ]);
    const { mirrors } = await bySecond('GET', 'owners/@acme/mirrors');
    const [{ id }] = mirrors as [{ id: string }];
    const run = await bySecond('POST', `owners/@acme/mirrors/${id}/sync`);
    expect(run.failure).toBe(
      'admin-of-acme added this mirror and does not manage @acme any more: remove it and add it again',
    );
  });
});

test('directories of killed servers are removed at the next start, and those of running ones stay', async () => {
  const place = mkdtempSync(join(tmpdir(), 'skw-sweep-'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(place, { recursive: true, force: true });
  });
  vi.stubEnv('TMPDIR', place);
  const dead = 2 ** 22 + 1;
  for (const name of [
    `skw-publish-${dead}-a`,
    `skw-mirror-${dead}-b`,
    `skw-rescan-${process.pid}-c`,
    `skw-publish-${process.ppid}-d`,
    'skw-publish-x',
    'other',
  ])
    mkdirSync(join(place, name));
  await sweepWorkDirectories();
  expect(readdirSync(place).toSorted()).toEqual(['other', `skw-publish-${process.ppid}-d`, 'skw-publish-x']);
  const made = await withWorkDirectory('publish', async (directory) => directory);
  expect(made).toContain(join(place, `skw-publish-${process.pid}-`));
  expect(readdirSync(place)).toHaveLength(3);
});
