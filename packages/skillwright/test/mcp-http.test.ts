import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  addSkill,
  connectHttp,
  eras,
  makePlace,
  makeSharedPlace,
  startHttp,
  startHttpUntilKilled,
  startServer,
} from './mcp-client.ts';

const manifest = (name: string) =>
  `---\nname: ${name}\ndescription: About ${name}. Use for ${name}.\n---\n\n# ${name}\n\nText of ${name}.\n`;

const one = { '.skillc/skills/one/SKILL.md': manifest('one') };

const call = { name: 'skc_show', arguments: { skill: 'one', section: ['one'] } };

/** One request as it is, with headers a browser would not let a page set. */
function send(
  url: URL,
  options: { method?: string; path?: string; headers?: Record<string, string>; body?: string; agent?: false },
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { method = 'POST', path = url.pathname, headers = {}, body, agent } = options;
    const target = { host: '127.0.0.1', port: url.port, method, path, headers, agent };
    const outgoing = request(target, (incoming) => {
      let text = '';
      incoming.on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode!, text }));
    });
    outgoing.on('error', reject).end(body);
  });
}

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

/** One server for what changes nothing. */
let url: URL;
beforeAll(async () => {
  const started = await startHttpUntilKilled(makeSharedPlace(one));
  url = started.url;
  return () => void started.server.process.kill('SIGKILL');
});

describe.each(eras)('a client of %s', (era) => {
  test('calls tools, reads skills and gets prompts', async () => {
    const client = await connectHttp(url, { era });
    expect((await client.callTool(call)).content).toEqual([
      { type: 'text', text: '# one\n\nText of one.\n' },
    ]);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['one']);
    const skills = new SkillsClient(client);
    const { skills: listed } = await skills.list();
    expect(await skills.read(listed[0]!)).toMatchObject({ text: manifest('one'), verified: true });
  });
});

test('several clients at once', async () => {
  const clients = await Promise.all(
    Array.from({ length: 8 }, (_, index) => connectHttp(url, { era: eras[index % 2]! })),
  );
  const answers = await Promise.all(
    Array.from({ length: 80 }, (_, index) => clients[index % clients.length]!.callTool(call)),
  );
  for (const { content } of answers)
    expect(content).toEqual([{ type: 'text', text: '# one\n\nText of one.\n' }]);
});

test('a subscribed client is told when skills change', async () => {
  const place = makePlace(one);
  const changing = await startHttp(place);
  const { promise: told, resolve } = Promise.withResolvers<string[]>();
  await connectHttp(changing.url, {
    era: '2026-07-28',
    listChanged: {
      resources: { onChanged: (_error, items) => resolve((items ?? []).map(({ uri }) => uri)) },
    },
  });
  addSkill(place, '.skillc/skills/two', manifest('two'));
  expect(await told).toEqual(['skill://project/one/SKILL.md', 'skill://project/two/SKILL.md']);
});

describe('who may ask', () => {
  test.each([
    ['nobody in particular', {}, 200],
    ['a page of this machine', { origin: 'http://localhost:5173' }, 200],
    ['a page from elsewhere', { origin: 'https://evil.example' }, 403],
    ['a page from a file', { origin: 'null' }, 403],
    ['a name that was bound to this address', { host: 'evil.example' }, 403],
    ['such a name with the port', { host: 'evil.example:7411' }, 403],
    ['this machine by name', { host: 'localhost:1' }, 200],
  ])('%s', async (_who, headers, status) => {
    expect((await send(url, { headers: { ...json, ...headers }, body: list })).status).toBe(status);
  });
});

test('other places, methods and bodies', async () => {
  const status = async (options: Parameters<typeof send>[1]) => (await send(url, options)).status;
  expect(await status({ path: '/', headers: json, body: list })).toBe(404);
  expect(await status({ path: '/mcp/more', headers: json, body: list })).toBe(404);
  expect(await status({ path: '//mcp', headers: json, body: list })).toBe(404);
  expect(await status({ method: 'GET', headers: json })).toBe(405);
  expect(await status({ method: 'DELETE', headers: json })).toBe(405);
  expect(await status({ method: 'PUT', headers: json, body: list })).toBe(405);
  expect(await status({ headers: json, body: 'not json' })).toBe(400);
  expect(await status({ headers: { ...json, 'content-type': 'text/plain' }, body: list })).toBe(415);
  expect(await status({ headers: json, body: `"${'x'.repeat(5_000_000)}"` })).toBe(413);
  expect(await status({ headers: json, body: list })).toBe(200);
});

test('a connection serves the next request after one that was too large', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ask = (body: string) =>
    new Promise<{ status: number; port: number }>((resolve, reject) => {
      const target = {
        host: '127.0.0.1',
        port: url.port,
        method: 'POST',
        path: url.pathname,
        headers: json,
        agent,
      };
      const outgoing = request(target, (incoming) => {
        const port = incoming.socket.localPort!;
        incoming.resume().on('end', () => resolve({ status: incoming.statusCode!, port }));
      });
      outgoing.on('error', reject).end(body);
    });
  const refused = await ask(`"${'x'.repeat(5_000_000)}"`);
  expect(refused.status).toBe(413);
  expect(await ask(list)).toEqual({ status: 200, port: refused.port });
});

test('the stream of a session begins at once', async () => {
  const handshake = await fetch(url, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bare', version: '1' } },
    }),
  });
  await handshake.text();
  const left = new AbortController();
  // Nothing is sent on it, so this resolves by its head alone.
  const stream = await fetch(url, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': handshake.headers.get('mcp-session-id')! },
    signal: left.signal,
  });
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  left.abort();
});

test('it listens on the loopback address alone, and prints nothing', async () => {
  const { url: own, server } = await startHttp(makePlace(one));
  await send(own, { headers: json, body: list });
  const port = Number(own.port).toString(16).toUpperCase().padStart(4, '0');
  const rows = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/${server.process.pid}/net/${name}`, 'utf8')
      .split('\n')
      .map((row) => row.trim().split(/\s+/))
      .filter(([, local, , state]) => local?.endsWith(`:${port}`) && state === '0A'),
  );
  expect(rows.map(([, local]) => local)).toEqual([`0100007F:${port}`]);
  server.process.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(server.lines).toEqual([]);
});

test('a port that is taken', async () => {
  const second = startServer(makePlace(one), ['--http', url.port]);
  expect(await second.exited).toEqual({ code: 1, signal: null });
  expect(second.stderr()).toBe(
    `error[E100]: --http ${url.port}: the port is in use\nhelp: name another port: --http 0 picks a free one\n`,
  );
});
