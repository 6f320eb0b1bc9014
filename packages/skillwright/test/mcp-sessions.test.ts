// State of a connection, over both transports.

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addSkill, connect, connectHttp, type Era, makePlace, type Place, startHttp } from './mcp-client.ts';

const manifest = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: About ${name}. Use for ${name}.\n---\n\n# ${name}\n\nText of ${name}.${more}\n`;

const two = {
  '.agents/skills/one/SKILL.md': manifest('one'),
  '.agents/skills/two/SKILL.md': manifest('two'),
};

async function load(client: Client, reference: { name?: string; path?: string }) {
  const { content, structuredContent, isError } = await client.callTool({
    name: 'skc_load',
    arguments: reference,
  });
  const { status, error } = structuredContent as { status?: string; error?: { code: string } };
  const [{ text }] = content as unknown as [{ text: string }];
  return { answer: isError ? error!.code : status, text };
}

const transports: [string, (place: Place) => Promise<() => Promise<Client>>][] = [
  ['stdio', async (place) => async () => (await connect(place)).client],
  [
    'http',
    async (place) => {
      const { url } = await startHttp(place);
      return () => connectHttp(url);
    },
  ],
];

describe.each(transports)('over %s', (_name, serve) => {
  test('a skill is given once in a connection, and again in another', async () => {
    const open = await serve(makePlace(two));
    const [first, second] = [await open(), await open()];
    expect((await load(first, { name: 'one' })).answer).toBe('loaded');
    const again = await load(first, { name: 'one' });
    expect(again.answer).toBe('already-loaded');
    expect(again.text).not.toContain('Text of one.');
    expect((await load(first, { name: 'two' })).answer).toBe('loaded');
    const elsewhere = await load(second, { name: 'one' });
    expect(elsewhere.answer).toBe('loaded');
    expect(elsewhere.text).toContain('Text of one.');
  });

  test('what changes while the connection lasts holds at once', async () => {
    const place = makePlace(two);
    const client = await (await serve(place))();
    expect((await load(client, { name: 'one' })).answer).toBe('loaded');
    mkdirSync(`${place.cwd}/.agents/skills/three`);
    writeFileSync(`${place.cwd}/.agents/skills/three/SKILL.md`, manifest('three'));
    expect((await load(client, { name: 'three' })).answer).toBe('loaded');
    writeFileSync(`${place.cwd}/.agents/skills/one/SKILL.md`, manifest('one', ' And more.'));
    expect((await load(client, { name: 'one' })).text).toContain('And more.');
    rmSync(`${place.cwd}/.agents/skills/three`, { recursive: true });
    expect((await load(client, { name: 'three' })).answer).toBe('E001');
    mkdirSync(`${place.home}/.skillc`, { recursive: true });
    writeFileSync(
      `${place.home}/.skillc/config.toml`,
      '[[permissions.deny]]\ntool = "skill_load"\nskill_name = "one"\n',
    );
    expect((await load(client, { path: '.agents/skills/one/SKILL.md' })).answer).toBe('E060');
    writeFileSync(`${place.home}/.skillc/config.toml`, '[[permissions.deny]]\ntool = 7\n');
    expect((await load(client, { name: 'two' })).answer).toBe('E110');
    writeFileSync(`${place.home}/.skillc/config.toml`, '');
    writeFileSync(`${place.home}/.skillc/state.json`, JSON.stringify({ disabled: ['two'] }));
    expect((await load(client, { name: 'two' })).answer).toBe('E001');
  });

  test('a search sees a skill that was made just before', async () => {
    const place = makePlace(two);
    const client = await (await serve(place))();
    const find = async (query: string) => {
      const { structuredContent } = await client.callTool({
        name: 'skc_find',
        arguments: { query: [query] },
      });
      return (structuredContent as { results: { name: string }[] }).results.map(({ name }) => name);
    };
    expect(await find('zebra')).toEqual([]);
    mkdirSync(`${place.cwd}/.agents/skills/zebra-stripes`);
    writeFileSync(`${place.cwd}/.agents/skills/zebra-stripes/SKILL.md`, manifest('zebra-stripes'));
    expect(await find('zebra')).toEqual(['zebra-stripes']);
    expect(await find('two')).toEqual(['two']);
  });
});

describe('sessions over HTTP', () => {
  /** A client with its transport, which knows the session. */
  async function open(url: URL, client: Client) {
    const transport = new StreamableHTTPClientTransport(url);
    await client.connect(transport);
    onTestFinished(() => client.close());
    return transport;
  }
  async function makeClient(options: { changed?: (names: string[]) => void; era?: Era } = {}) {
    const { Client: Official } = await import('@modelcontextprotocol/client');
    const { changed } = options;
    return new Official(
      { name: 'test', version: '1.0.0' },
      {
        versionNegotiation: { mode: 'legacy' },
        ...(changed === undefined
          ? {}
          : {
              listChanged: {
                prompts: { onChanged: (_error, items) => changed((items ?? []).map(({ name }) => name)) },
              },
            }),
      },
    );
  }

  test('a client without a subscription is told over its stream', async () => {
    const place = makePlace(two);
    const { url } = await startHttp(place);
    const { promise: told, resolve } = Promise.withResolvers<string[]>();
    await open(url, await makeClient({ changed: resolve }));
    addSkill(place, '.agents/skills/three', manifest('three'));
    // The stream opens some time after the client is connected, so there is another change until one is told.
    const skills = `${place.cwd}/.agents/skills`;
    let round = 0;
    const changing = setInterval(() => {
      const text = manifest('three').replace('About', `Round ${round++} about`);
      writeFileSync(`${skills}/three/new`, text);
      renameSync(`${skills}/three/new`, `${skills}/three/SKILL.md`);
    }, 500);
    onTestFinished(() => clearInterval(changing));
    expect((await told).toSorted()).toEqual(['one', 'three', 'two']);
  });

  test('a client ends its session, and what it knew ends with it', async () => {
    const { url } = await startHttp(makePlace(two));
    const client = await makeClient();
    const transport = await open(url, client);
    const id = transport.sessionId!;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    await load(client, { name: 'one' });
    await transport.terminateSession();
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': id,
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const answer = await fetch(url, { method: 'POST', headers, body });
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { jsonrpc: '2.0', error: { code: -32600, message: 'Session not found' }, id: null },
    ]);
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(404);
    expect((await fetch(url, { headers })).status).toBe(404);
  });

  test('a request that names no session stands alone', async () => {
    const { url } = await startHttp(makePlace(two));
    const call = async (headers: Record<string, string>) => {
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'skc_load', arguments: { name: 'one' } },
      };
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify(message),
      });
      return { session: answer.headers.get('mcp-session-id'), text: await answer.text() };
    };
    for (let time = 0; time < 2; time++) {
      const { session, text } = await call({});
      expect(session).toBe(null);
      expect(text).toContain('Text of one.');
    }
    const client = await connectHttp(url, { era: '2026-07-28' });
    for (let time = 0; time < 2; time++) expect((await load(client, { name: 'one' })).answer).toBe('loaded');
  });

  test('the server ends although clients listen', async () => {
    const { url, server } = await startHttp(makePlace(two));
    await open(url, await makeClient());
    server.process.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });
});

describe('what is kept from an agent', () => {
  const rule = '[[permissions.deny]]\ntool = "skill_load"\n';
  const reads = (skill: string): [string, Record<string, unknown>][] => [
    ['skc_load', { name: skill }],
    ['skc_outline', { skill }],
    ['skc_show', { skill, section: [skill] }],
    ['skc_open', { skill, path: 'SKILL.md' }],
    ['skc_search', { skill, query: ['text'] }],
    ['skc_sources', { skill }],
  ];
  async function codes(client: Client, skill: string) {
    const answers = await Promise.all(
      reads(skill).map(async ([name, input]) => {
        const { structuredContent } = await client.callTool({ name, arguments: input });
        return (structuredContent as { error?: { code: string } }).error?.code ?? 'given';
      }),
    );
    return [...new Set(answers)];
  }
  async function listed(client: Client) {
    const { prompts } = await client.listPrompts();
    const { resources } = await client.listResources();
    const found = await client.callTool({
      name: 'skc_find',
      arguments: { query: ['text', 'use'], limit: 50 },
    });
    const { results } = found.structuredContent as { results: { name: string }[] };
    return [
      prompts.map(({ name }) => name),
      resources.map(({ uri }) => uri),
      results.map(({ name }) => name),
    ];
  }
  const files = {
    '.agents/skills/harmless/SKILL.md': manifest('harmless'),
    '.agents/skills/dangerous/SKILL.md': manifest('dangerous'),
    'elsewhere/dangerous/SKILL.md': manifest('dangerous'),
    'elsewhere/renamed/SKILL.md': manifest('Dangerous'),
  };
  const onlyHarmless = [['harmless'], ['skill://project/harmless/SKILL.md'], ['harmless']];

  test('a skill that is denied by name cannot be read by any tool, path or link', async () => {
    const place = makePlace({
      ...files,
      '~/.skillc/config.toml': `${rule}skill_name = "dangerous"\n`,
      link: { link: '.agents/skills/dangerous' },
    });
    const { client } = await connect(place);
    for (const skill of [
      'dangerous',
      './.agents/skills/dangerous',
      'link',
      'elsewhere/dangerous',
      'elsewhere/renamed',
    ])
      expect([skill, (await codes(client, skill)).filter((code) => code !== 'E001')]).toEqual([
        skill,
        ['E060'],
      ]);
    expect(await codes(client, 'harmless')).toEqual(['given']);
    expect(await listed(client)).toEqual(onlyHarmless);
  });

  test('a skill that was switched off is not there', async () => {
    const place = makePlace({ ...files, '~/.skillc/state.json': '{"disabled":["dangerous"]}' });
    const { client } = await connect(place);
    expect(await codes(client, 'dangerous')).toEqual(['E001']);
    expect(await listed(client)).toEqual(onlyHarmless);
  });

  test('a rule that names no skill is about every one, section by section too', async () => {
    const place = makePlace({ ...files, '~/.skillc/config.toml': rule });
    const { client } = await connect(place);
    expect(await codes(client, 'harmless')).toEqual(['E060']);
    expect(await listed(client)).toEqual([[], [], []]);
  });
});
