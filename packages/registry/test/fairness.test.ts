// Nobody takes the registry away from the others: uploads, messages, webhooks, addresses, issuers.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { DIGEST_HEADER } from 'skillwright/registry-protocol';
import { expect, test, vi } from 'vitest';
import { deliverWebhooks } from '../src/changes/deliver.ts';
import { networkOf } from '../src/http/observe.ts';
import { createApp } from '../src/server/create-app.ts';
import { onBothDatabases } from './open-test-registry.ts';
import { addAccount, digestOfBytes, openSkillWorld, packedSkill, type SkillWorld } from './skill-world.ts';

/** An upload whose body never ends by itself. */
function openUpload(world: SkillWorld, token: string, name: string) {
  let end = () => {};
  const bytes = packedSkill({ name, version: '1.0.0' });
  const body = new ReadableStream({
    start(controller) {
      end = () => {
        controller.enqueue(bytes);
        controller.close();
      };
    },
  });
  const answer = Promise.resolve(
    world.app.request(`/api/v1/skills/@acme/${name}/1.0.0`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, [DIGEST_HEADER]: digestOfBytes(bytes) },
      body,
      duplex: 'half',
    } as RequestInit),
  );
  return { answer, end };
}

/** Resolves when the database has answered every request: an upload is being taken or waits in line. */
function watchQueries({ registry: { database } }: SkillWorld): () => Promise<void> {
  const { query } = database;
  let running = 0;
  const counted = async (sql: string, parameters?: readonly unknown[]) => {
    running++;
    return query(sql, parameters).finally(() => {
      running--;
    });
  };
  Object.assign(database, { query: counted });
  return async () => {
    await new Promise(setImmediate);
    await expect.poll(() => running).toBe(0);
  };
}

onBothDatabases('uploads', (open) => {
  test('an account has two at a time; a short line waits, the rest hears so at once', async (context) => {
    const world = await openSkillWorld(open, context, { maxUploads: 2 });
    const tokens: string[] = [];
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5'])
      tokens.push(await addAccount(world.registry, name, { roles: [[world.ownerId, 'publisher']] }));
    const settled = watchQueries(world);
    const uploads = [];
    // Two are taken and four wait.
    for (const at of [0, 0, 1, 1, 2, 2]) {
      uploads.push(openUpload(world, tokens[at]!, `skill-${uploads.length}`));
      await settled();
    }
    const statusOf = async (at: number) => {
      const { answer, end } = openUpload(world, tokens[at]!, 'late');
      const { status, headers } = await answer;
      end();
      return [status, headers.get('retry-after')];
    };
    expect(await statusOf(0)).toEqual([429, '1']);
    expect(await statusOf(4)).toEqual([503, '1']);
    // Reads do not wait for any of them.
    expect((await world.call('publisher', 'GET whoami')).status).toBe(200);
    for (const { end } of uploads) end();
    const statuses = await Promise.all(uploads.map(async ({ answer }) => (await answer).status));
    expect(statuses).toEqual([201, 201, 201, 201, 201, 201]);
    expect((await world.publish('@acme/late@1.0.0')).status).toBe(201);
  });

  test('one that trickles loses its place, long before its time is over', async (context) => {
    const world = await openSkillWorld(open, context, { maxUploads: 1 });
    const slow = await addAccount(world.registry, 'a1', { roles: [[world.ownerId, 'publisher']] });
    let timer: NodeJS.Timeout | undefined;
    const body = new ReadableStream({
      start: (controller) => {
        timer = setInterval(() => controller.enqueue(new Uint8Array(100)), 200);
      },
      cancel: () => clearInterval(timer),
    });
    const settled = watchQueries(world);
    const first = world.app.request('/api/v1/skills/@acme/slow/1.0.0', {
      method: 'PUT',
      headers: { authorization: `Bearer ${slow}`, [DIGEST_HEADER]: `sha256:${'0'.repeat(64)}` },
      body,
      duplex: 'half',
    } as RequestInit);
    await settled();
    expect((await world.publish('@acme/quick@1.0.0')).status).toBe(201);
    const answer = await first;
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('the body arrives too slowly: less than 8192 bytes a second'),
    ]);
  });

  test('waiting counts towards the time of an upload', async (context) => {
    const world = await openSkillWorld(open, context, { maxUploads: 1, uploadSeconds: 0.2 });
    const other = await addAccount(world.registry, 'a1', { roles: [[world.ownerId, 'publisher']] });
    const settled = watchQueries(world);
    const first = openUpload(world, world.tokens.publisher, 'first');
    await settled();
    const second = openUpload(world, other, 'second');
    const statuses = [(await first.answer).status, (await second.answer).status].toSorted();
    expect(statuses[0]).toBe(400);
    expect([400, 503]).toContain(statuses[1]);
  });
});

onBothDatabases('messages of /mcp', (open) => {
  test('count one by one, searches as searches', async (context) => {
    const world = await openSkillWorld(open, context, { searchLimit: 3, readLimit: 1000 });
    const ask = async (name: string, args: object) => {
      const response = await world.ask('publisher', 'POST /mcp', {
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
        headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
      });
      return (await response.text()).includes('rate_limited');
    };
    const refused = [];
    for (let count = 0; count < 5; count++) refused.push(await ask('skc_find', { query: 'pdf' }));
    expect(refused).toEqual([false, false, false, true, true]);
    // The same bucket as that of the other ways to search.
    expect((await world.call('publisher', 'GET search?q=pdf')).status).toBe(429);
    expect(await ask('skc_outline', { skill: '@acme/none' })).toBe(false);
  });

  test('count in a batch too, whatever they ask for', async (context) => {
    const world = await openSkillWorld(open, context, { readLimit: 30 });
    const statusOf = async (messages: number, method: string) => {
      const body = Array.from({ length: messages }, (_, id) => ({ jsonrpc: '2.0', id, method, params: {} }));
      const headers = {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-03-26',
      };
      return (await world.ask('publisher', 'POST /mcp', { body, headers })).status;
    };
    expect(await statusOf(20, 'tools/list')).toBe(200);
    expect(await statusOf(20, 'skills/list')).toBe(429);
    expect(await statusOf(1, 'tools/list')).toBe(429);
  });
});

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['192.0.2.7', '192.0.2.7'],
  ['unknown', 'unknown'],
])('the address %s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

onBothDatabases('webhooks', (open) => {
  test('one that never answers holds up no other', async (context) => {
    const world = await openSkillWorld(open, context, { webhooksToPrivate: true });
    for (const name of ['slow', 'quick'])
      await world.call('admin', 'POST owners/@acme/webhooks', { url: `https://${name}.example/` });
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await world.publish(`@acme/alpha@${version}`);
    const sent: string[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const send = vi.fn(async (url: string) => {
      sent.push(new URL(url).host);
      if (url.includes('slow')) await held;
    });
    const fetcher = { send } as never;
    const first = deliverWebhooks(world.registry, { fetcher });
    await vi.waitFor(() => expect(sent).toHaveLength(4));
    expect(sent.toSorted()).toEqual(['quick.example', 'quick.example', 'quick.example', 'slow.example']);
    expect(await deliverWebhooks(world.registry, { fetcher })).toBe(0);
    release();
    expect(await first).toBe(6);
  });

  test('a namespace has two under way at a time, also after others have answered', async (context) => {
    const world = await openSkillWorld(open, context, { webhooksToPrivate: true });
    for (const name of ['slow-1', 'slow-2', 'slow-3', 'slow-4'])
      await world.call('admin', 'POST owners/@acme/webhooks', { url: `https://${name}.example/` });
    for (const version of ['1.0.0', '1.1.0']) await world.publish(`@acme/alpha@${version}`);
    let waiting = 0;
    let atOnce = 0;
    const releases: (() => void)[] = [];
    const send = async () => {
      atOnce = Math.max(atOnce, ++waiting);
      await new Promise<void>((resolve) => releases.push(resolve));
      waiting--;
    };
    const first = deliverWebhooks(world.registry, { fetcher: { send } as never });
    for (let count = 0; count < 8; count++) {
      await vi.waitFor(() => expect(releases.length).toBe(Math.min(count + 2, 8)));
      releases[count]!();
    }
    expect(await first).toBe(8);
    expect(atOnce).toBe(2);
  });

  test('a namespace has two under way at a time, however many processes send', async (context) => {
    const world = await openSkillWorld(open, context, { webhooksToPrivate: true });
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
      await world.call('admin', 'POST owners/@acme/webhooks', { url: `https://${name}.example/` });
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await world.publish(`@acme/alpha@${version}`);
    const underWay: string[] = [];
    let most = 0;
    const send = async (url: string) => {
      expect(underWay).not.toContain(url);
      underWay.push(url);
      most = Math.max(most, underWay.length);
      await pause(1);
      underWay.splice(underWay.indexOf(url), 1);
    };
    const processes = Array.from({ length: 5 }, () => ({ ...world.registry, delivering: 0 }));
    const counts = await Promise.all(
      processes.map((registry) => deliverWebhooks(registry, { fetcher: { send } as never })),
    );
    expect([counts.reduce((sum, count) => sum + count, 0), most]).toEqual([18, 2]);
  });
});

onBothDatabases('an issuer that does not answer', (open) => {
  test('is not asked again by every job', async (context) => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const { app, pass } = await open(context, { ciIssuers: [{ issuer, kind: 'github' }] });
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const token = `${part({ alg: 'RS256', kid: 'x' })}.${part({ iss: issuer })}.AAAA`;
      const body = new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        subject_token: token,
      }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const exchange = async () =>
        (await app.request('/oauth/token', { method: 'POST', headers, body })).status;
      expect([await exchange(), await exchange(), await exchange(), asked]).toEqual([503, 503, 503, 1]);
      pass(31_000);
      expect([await exchange(), asked]).toEqual([503, 2]);
    } finally {
      server.close();
    }
  });
});

onBothDatabases('answers', (open) => {
  test('a browser gets the status of its failure, never 500', async (context) => {
    const world = await openSkillWorld(open, context, { readLimit: 2, maxRequests: 1 });
    const accept = 'text/html';
    const page = (path: string, init: RequestInit = {}) =>
      world.app.request(path, { ...init, headers: { accept, ...(init.headers as Record<string, string>) } });
    const statuses = [
      (await page('/search', { headers: { authorization: 'Bearer nonsense' } })).status,
      (
        await page('/theme', {
          method: 'POST',
          headers: { 'content-length': '9999999', 'content-type': 'application/x-www-form-urlencoded' },
          body: 'x'.repeat(2_000_000),
        })
      ).status,
    ];
    const both = await Promise.all([page('/'), page('/'), page('/')]);
    statuses.push(...both.map(({ status }) => status));
    for (let count = 0; count < 3; count++) statuses.push((await page('/')).status);
    expect(statuses.slice(0, 2)).toEqual([401, 413]);
    expect(statuses).not.toContain(500);
    expect([statuses.includes(503), statuses.includes(429)]).toEqual([true, true]);
  });

  test('texts that cannot be kept are the mistake of the sender', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/alpha@1.0.0');
    const raw = (path: string, body: string) =>
      world.app.request(`/api/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.tokens.admin}`, 'content-type': 'application/json' },
        body,
      });
    const report = (text: string) => `{"kind":"spam","message":"${text}"}`;
    for (const text of ['\\ud800', 'a\\udc00b', '\\ud800\\ud800'])
      expect((await raw('skills/@acme/alpha/reports', report(text))).status).toBe(400);
    expect((await raw('skills/@acme/alpha/reports', report('\\ud83d\\ude00'))).status).toBe(201);
    expect((await raw('tokens', '{"name":"\\ud800","scopes":["read"]}')).status).toBe(400);
  });

  test('without a choice of their own are for the caller alone, on every route', async (context) => {
    const world = await openSkillWorld(open, context);
    await world.publish('@acme/alpha@1.0.0');
    const app = createApp(world.registry);
    const values: Record<string, string> = {
      owner: '@acme',
      name: 'alpha',
      version: '1.0.0',
      path: 'SKILL.md',
      wanted: 'alpha@1.0.0',
    };
    const wrong = [];
    for (const { method, path } of app.routes) {
      if (method === 'ALL') continue;
      const address = path.replaceAll(
        /:(\w+)(?:\{[^}]*(?:\{[^}]*\}[^}]*)*\})?/g,
        (_, part: string) => values[part] ?? '1',
      );
      for (const reader of ['publisher', 'anonymous'] as const) {
        const response = await world.ask(reader, `${method} ${address}`);
        const [kept, vary] = [response.headers.get('cache-control'), response.headers.get('vary')];
        if (kept === null || (!/public/.test(kept) && vary === null))
          wrong.push(`${method} ${address}: ${kept} ${vary}`);
        if (/\/raw\/|\/scans$/.test(address) && kept !== 'private, no-cache')
          wrong.push(`${address}: ${kept}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
