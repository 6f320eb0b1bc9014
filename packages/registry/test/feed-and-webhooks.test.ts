import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { makeTarGz } from '../../skillwright/test/make-archive.ts';
import { deliverWebhooks } from '../src/changes/deliver.ts';
import { signDelivery } from '../src/changes/webhook.ts';
import { startBackground } from '../src/server/background.ts';
import { onBothDatabases } from './open-test-registry.ts';
import { openSkillWorld, skillText } from './skill-world.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

onBothDatabases('the feed', (open) => {
  test('shows changes of public skills, and of no others', async (context) => {
    const world = await openSkillWorld(open, context);
    const text = skillText({ name: 'alpha', version: '1.0.0' });
    await world.publish('@acme/alpha@1.0.0', { archive: makeTarGz({ 'SKILL.md': text }) });
    await world.call('admin', 'PATCH skills/@acme/alpha', { visibility: 'public' });
    await world.publish('@acme/secret@1.0.0');
    await world.call('publisher', 'PATCH skills/@acme/alpha/1.0.0', { yanked: '<b>wrong</b> & "old"' });
    world.registry.settings.review = 'all';
    await world.publish('@acme/alpha@2.0.0');
    await world.publish('@acme/alpha@3.0.0');
    await world.call('reviewer', 'POST skills/@acme/alpha/3.0.0/review', {
      decision: 'approve',
      reason: 'read it',
    });
    const titles = [
      '@acme/alpha 3.0.0: published after review',
      '@acme/alpha 1.0.0: yanked',
      '@acme/alpha 1.0.0: published',
    ];
    const titlesAt = async (path: string, reader: 'anonymous' | 'root' = 'anonymous') => {
      const text = await (await world.ask(reader, `GET ${path}`)).text();
      return Array.from(text.matchAll(/<title>([^<]*)<\/title>/g), ([, title]) => title);
    };
    expect(await titlesAt('/feed.atom')).toEqual(['Skillwright registry', ...titles]);
    expect(await titlesAt('/feed.atom', 'root')).toEqual(['Skillwright registry', ...titles]);
    expect(await titlesAt('/@acme/feed.atom')).toEqual(['Skills of @acme', ...titles]);
    expect(await titlesAt('/@other/feed.atom')).toEqual(['Skills of @other']);
    const atom = await world.ask('anonymous', 'GET /feed.atom');
    const xml = await atom.text();
    expect(atom.headers.get('content-type')).toBe('application/atom+xml');
    expect(xml).toContain('<summary>&lt;b&gt;wrong&lt;/b&gt; &amp; &quot;old&quot;</summary>');
    expect(xml).not.toContain('secret');
    const again = await world.ask('anonymous', 'GET /feed.atom', {
      headers: { 'if-none-match': atom.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
  });
});

onBothDatabases('webhooks', (open) => {
  test('receive every change of their namespace, signed', async (context) => {
    const world = await openSkillWorld(open, context, { webhooksToPrivate: true });
    const received: { body: string; signature: string | undefined }[] = [];
    const url = await listen(async (request) => {
      received.push({
        body: await bodyOf(request),
        signature: request.headers['skillwright-signature'] as string,
      });
      return 204;
    });
    const made = await world.call('admin', 'POST owners/@acme/webhooks', { url });
    expect(made).toEqual({
      status: 201,
      value: {
        id: expect.any(String),
        url,
        secret: expect.stringMatching(/^skwh_/),
        created: expect.any(String),
        failures: 0,
        disabled: null,
      },
    });
    await world.publish('@acme/alpha@1.0.0');
    await world.call('publisher', 'PATCH skills/@acme/alpha/1.0.0', { yanked: 'old' });
    // Processes that look at the same time send each delivery once.
    await Promise.all([deliverWebhooks(world.registry), deliverWebhooks(world.registry)]);
    expect(received.map(({ body }) => JSON.parse(body)).toSorted((a, b) => a.event - b.event)).toEqual([
      {
        delivery: expect.any(Number),
        event: expect.any(Number),
        action: 'version.publish',
        time: expect.any(String),
        actor: 'publisher',
        owner: 'acme',
        skill: '@acme/alpha',
        version: '1.0.0',
        details: expect.objectContaining({ verdict: 'clean' }),
      },
      expect.objectContaining({ action: 'version.yank', details: { reason: 'old' } }),
    ]);
    for (const { body, signature } of received) expect(signature).toBe(signDelivery(made.value.secret, body));
    expect(await deliverWebhooks(world.registry)).toBe(0);
    const { secret: _, ...shown } = made.value;
    expect((await world.call('admin', 'GET owners/@acme/webhooks')).value).toEqual({ webhooks: [shown] });
    expect((await world.call('admin', `DELETE owners/@acme/webhooks/${made.value.id}`)).status).toBe(204);
    await world.call('publisher', 'PATCH skills/@acme/alpha/1.0.0', { yanked: null });
    expect(await deliverWebhooks(world.registry)).toBe(0);
  });

  test('are tried again later, and switched off with the reason when they keep failing', async (context) => {
    const world = await openSkillWorld(open, context, { webhooksToPrivate: true });
    let calls = 0;
    const url = await listen(async () => {
      calls += 1;
      return 500;
    });
    await world.call('admin', 'POST owners/@acme/webhooks', { url });
    for (let at = 0; at < 5; at++) await world.publish(`@acme/alpha@1.${at}.0`);
    expect(await deliverWebhooks(world.registry)).toBe(5);
    expect(await deliverWebhooks(world.registry)).toBe(0);
    for (let attempt = 2; attempt <= 8; attempt++) {
      world.pass(100 * 24 * 3_600_000);
      expect(await deliverWebhooks(world.registry)).toBe(5);
    }
    expect(calls).toBe(40);
    const { value } = await world.call('admin', 'GET owners/@acme/webhooks');
    expect(value.webhooks[0]).toMatchObject({
      failures: 5,
      disabled: expect.stringMatching(
        /^switched off after 5 deliveries failed 8 times each; the last error: /,
      ),
    });
    await world.publish('@acme/alpha@2.0.0');
    world.pass(100 * 24 * 3_600_000);
    expect(await deliverWebhooks(world.registry)).toBe(0);
  });

  test('reach public addresses only, and belong to admins of the namespace', async (context) => {
    const world = await openSkillWorld(open, context);
    const create = async (reader: Parameters<typeof world.call>[0], url: string) =>
      (await world.call(reader, 'POST owners/@acme/webhooks', { url })).status;
    const refused = [
      'http://127.0.0.1/x',
      'http://[::1]/x',
      'http://localhost:80/',
      'http://10.0.0.1/',
      'http://169.254.169.254/latest',
      'http://2130706433/',
      'ftp://example.com/',
      'http://user:secret@example.com/',
    ];
    expect(await Promise.all(refused.map((url) => create('admin', url)))).toEqual(refused.map(() => 400));
    expect(await create('publisher', 'https://example.com/')).toBe(403);
    expect(await create('stranger', 'https://example.com/')).toBe(404);
    expect(await create('anonymous', 'https://example.com/')).toBe(404);
    // A name that leads to a private address is refused when it is resolved.
    let calls = 0;
    const url = await listen(async () => {
      calls += 1;
      return 200;
    });
    await world.registry.database.query(
      `insert into webhooks (id, owner_id, url, secret) values ('w', $1, $2, 's')`,
      [world.ownerId, url],
    );
    await world.publish('@acme/alpha@1.0.0');
    expect(await deliverWebhooks(world.registry)).toBe(1);
    const [row] = await world.registry.database.query<{ error: string }>('select error from deliveries');
    expect([calls, row!.error]).toEqual([0, expect.stringContaining('address refused')]);
  });

  test('are served in the background, which stops when asked', async (context) => {
    const world = await openSkillWorld(open, context, { webhooksToPrivate: true });
    const arrived = Promise.withResolvers<string>();
    const url = await listen(async (request) => {
      arrived.resolve(JSON.parse(await bodyOf(request)).action);
      return 200;
    });
    await world.call('admin', 'POST owners/@acme/webhooks', { url });
    await world.publish('@acme/alpha@1.0.0');
    const stop = startBackground(world.registry);
    expect(await arrived.promise).toBe('version.publish');
    await stop();
  });
});

/** A server that answers with the status of its handler. */
async function listen(handle: (request: IncomingMessage) => Promise<number>): Promise<string> {
  const server = createServer(async (request, response) => {
    response.statusCode = await handle(request);
    response.end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
