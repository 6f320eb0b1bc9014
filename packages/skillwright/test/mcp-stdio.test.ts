import { chmodSync, existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { makeDirectory, writeTree } from './make-directory.ts';
import { addSkill, connect, eras, initialize, makePlace, startServer } from './mcp-client.ts';
import { skc } from './run-in-process.ts';

const manifest = (name: string, extra = '') =>
  `---\nname: ${name}\ndescription: About ${name}. Use for ${name}.\n${extra}---\n\n# ${name}\n\nText of ${name}.\n`;

const one = { '.skillc/skills/one/SKILL.md': manifest('one') };

const show = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'skc_show', arguments: { skill: 'one', section: ['one'] } },
});

describe('bare frames', () => {
  test('malformed ones are passed over, and the next one is answered', async () => {
    const server = startServer(makePlace(one));
    await initialize(server);
    const malformed = [
      'not json\n',
      '{"jsonrpc":"2.0","id":1\n',
      '\n',
      '[]\n',
      '{}\n',
      'null\n',
      '{"jsonrpc":"1.0","id":1,"method":"tools/list"}\n',
      `${'{"a":'.repeat(2000)}\n`,
      Buffer.from([0xff, 0xfe, 0x00, 0x0a]).toString('latin1'),
    ];
    for (const frame of malformed) server.send(frame);
    server.send(show(7));
    let answer = await server.receive();
    while (answer.id !== 7) answer = await server.receive();
    expect(answer).toMatchObject({ id: 7, result: { structuredContent: { skill: 'one' } } });
    server.send({ jsonrpc: '2.0', id: 8, method: 'no/such' });
    expect(await server.receive()).toMatchObject({ id: 8, error: { code: -32601 } });
    server.send({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { arguments: 5 } });
    expect(await server.receive()).toMatchObject({ id: 9, error: { code: -32602 } });
  });

  test('frames may come in pieces and together', async () => {
    const server = startServer(makePlace(one));
    await initialize(server);
    const text = [1, 2, 3].map((id) => `${JSON.stringify(show(id))}\n`).join('');
    for (let at = 0; at < text.length; at += 17) server.send(text.slice(at, at + 17));
    const ids = [await server.receive(), await server.receive(), await server.receive()].map(({ id }) => id);
    expect(ids.toSorted()).toEqual([1, 2, 3]);
  });

  test('a client that goes away takes the server with it', async () => {
    const server = startServer(makePlace(one));
    await initialize(server);
    server.process.stdin.end();
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(server.stderr()).toBe('');
  });

  test('a client that closes both ends in the middle of an answer', async () => {
    const server = startServer(makePlace(one));
    await initialize(server);
    for (let id = 1; id <= 200; id++) server.send(show(id));
    server.process.stdout.destroy();
    server.process.stdin.destroy();
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it in order', async (signal) => {
    const server = startServer(makePlace(one), ['--json']);
    await initialize(server);
    server.process.kill(signal);
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(server.lines.map((line) => JSON.parse(line).jsonrpc)).toEqual(['2.0']);
  });
});

test('whatever anything prints, standard output carries the protocol alone', async () => {
  const noise = makeDirectory({
    'noise.mjs': `const original = process.stdout.write;
setInterval(() => {
  if (process.stdout.write === original) return;
  console.log('noise'); console.info('noise'); process.stdout.write('noise\\n');
}, 1).unref();\n`,
  });
  const server = startServer(makePlace(one), [], ['--import', pathToFileURL(join(noise, 'noise.mjs')).href]);
  await initialize(server);
  for (let id = 1; id <= 50; id++) {
    server.send(show(id));
    expect(await server.receive()).toMatchObject({ jsonrpc: '2.0', id });
  }
  expect(server.stderr()).toContain('noise\n');
  for (const line of server.lines) expect(JSON.parse(line).jsonrpc).toBe('2.0');
});

test.runIf(existsSync('/proc/self/net/tcp'))('it opens no connection to anywhere', async () => {
  const { client, pid } = await connect(makePlace(one));
  await client.callTool({ name: 'skc_show', arguments: { skill: 'one', section: ['one'] } });
  await client.callTool({ name: 'skc_lint', arguments: { paths: ['one'] } });
  await client.callTool({ name: 'skc_build', arguments: { skills: ['one'] } });
  await client.listResources();
  const links = readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${name}`)];
    } catch {
      return [];
    }
  });
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  const internet = ['tcp', 'tcp6', 'udp', 'udp6', 'raw', 'raw6'].flatMap((protocol) => {
    const path = `/proc/${pid}/net/${protocol}`;
    const rows = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').slice(1) : [];
    return rows.map((row) => row.trim().split(/\s+/)[9]!).filter((inode) => inodes.has(inode));
  });
  expect(internet).toEqual([]);
});

test('the script serves on Node too', async () => {
  const server = startServer(makePlace(one), [], []);
  await initialize(server);
  server.send(show(1));
  expect(await server.receive()).toMatchObject({
    id: 1,
    result: { content: [{ type: 'text', text: '# one\n\nText of one.\n' }] },
  });
});

describe('the client is told when skills change', () => {
  test.each(eras)('%s', async (era) => {
    const place = makePlace(one);
    const { promise: told, resolve } = Promise.withResolvers<string[]>();
    const { promise: prompted, resolve: prompt } = Promise.withResolvers<string[]>();
    const { promise: tooled, resolve: tool } = Promise.withResolvers<string[]>();
    await connect(place, {
      era,
      listChanged: {
        resources: { onChanged: (_error, items) => resolve((items ?? []).map(({ uri }) => uri)) },
        prompts: { onChanged: (_error, items) => prompt((items ?? []).map(({ name }) => name)) },
        tools: { onChanged: (_error, items) => tool((items ?? []).map(({ name }) => name)) },
      },
    });
    addSkill(place, '.skillc/skills/two', manifest('two'));
    expect(await told).toEqual(['skill://project/one/SKILL.md', 'skill://project/two/SKILL.md']);
    expect(await prompted).toEqual(['one', 'two']);
    expect(await tooled).toContain('skc_show');
  });
});

test.each([
  ['is switched off', '.skillc/state.json', '{"version":1,"disabled":["two"]}\n'],
  [
    'is denied by a rule',
    '.skillc/config.toml',
    '[[permissions.deny]]\ntool = "skill_load"\nskill_name = "two"\n',
  ],
])('the client is told when a skill %s', async (_what, file, content) => {
  const place = makePlace({ ...one, '.skillc/skills/two/SKILL.md': manifest('two') });
  const { promise: told, resolve } = Promise.withResolvers<string[]>();
  const { client } = await connect(place, {
    listChanged: {
      prompts: { onChanged: (_error, items) => resolve((items ?? []).map(({ name }) => name)) },
    },
  });
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['one', 'two']);
  writeTree(place.cwd, { [file]: content });
  expect(await told).toEqual(['one']);
});

test('a skill that was taken away and put back is still watched', async () => {
  const place = makePlace(one);
  const skills = join(place.cwd, '.skillc/skills');
  const told: string[][] = [];
  let heard = Promise.withResolvers<void>();
  await connect(place, {
    listChanged: {
      resources: {
        debounceMs: 0,
        onChanged: (_error, items) => {
          told.push((items ?? []).map(({ description }) => description!));
          heard.resolve();
        },
      },
    },
  });
  rmSync(join(skills, 'one'), { recursive: true });
  writeTree(skills, { 'one/SKILL.md': manifest('one'), 'two/SKILL.md': manifest('two') });
  const until = async (isTold: (descriptions: string[]) => boolean) => {
    while (!isTold(told.at(-1) ?? [])) {
      await heard.promise;
      heard = Promise.withResolvers<void>();
    }
  };
  await until((descriptions) => descriptions.length === 2);
  writeTree(skills, { 'one/SKILL.md': manifest('one').replace('About one', 'All about one') });
  await until(([first]) => first === 'All about one. Use for one.');
  expect(told.at(-1)).toEqual(['All about one. Use for one.', 'About two. Use for two.']);
});

describe('prompts', () => {
  const files = {
    '.skillc/skills/fix/SKILL.md':
      '---\nname: fix\ndescription: Fixes.\nargument-hint: "[issue]"\n---\n\n# Fix\n\nFix $ARGUMENTS now: $ARGUMENTS.\n',
    '.skillc/skills/plain/SKILL.md': manifest('plain'),
    '.skillc/skills/hidden/SKILL.md': manifest('hidden', 'user-invocable: no\n'),
    '~/.skillc/skills/fix/SKILL.md': manifest('fix'),
  };

  test('one for every skill users may call', async () => {
    const { client } = await connect(makePlace(files));
    const { prompts } = await client.listPrompts();
    expect(prompts).toEqual([
      { name: 'fix', description: 'Fixes.', arguments: [{ name: 'arguments', description: '[issue]' }] },
      {
        name: 'plain',
        description: 'About plain. Use for plain.',
        arguments: [{ name: 'arguments', description: 'Text for the skill' }],
      },
      {
        name: 'user:fix',
        description: 'About fix. Use for fix.',
        arguments: [{ name: 'arguments', description: 'Text for the skill' }],
      },
    ]);
  });

  test('hold the body, with what the user wrote', async () => {
    const { client } = await connect(makePlace(files));
    const text = async (name: string, written?: string) => {
      const result = await client.getPrompt({
        name,
        ...(written === undefined ? {} : { arguments: { arguments: written } }),
      });
      return result.messages;
    };
    const message = (body: string) => [{ role: 'user', content: { type: 'text', text: body } }];
    expect(await text('fix', '#1 $&')).toEqual(message('# Fix\n\nFix #1 $& now: #1 $&.'));
    expect(await text('fix')).toEqual(message('# Fix\n\nFix  now: .'));
    expect(await text('plain')).toEqual(message('# plain\n\nText of plain.'));
    expect(await text('plain', 'a b')).toEqual(message('# plain\n\nText of plain.\n\nARGUMENTS: a b'));
    await expect(client.getPrompt({ name: 'hidden' })).rejects.toMatchObject({ code: -32602 });
  });
});

test("the client's first root is the working directory", async () => {
  const root = makeDirectory(one);
  const { client } = await connect(makePlace({}), {
    capabilities: { roots: {} },
    setUp: (made) =>
      made.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(root).href }] })),
  });
  const result = await client.callTool({ name: 'skc_list', arguments: {} });
  expect(result.structuredContent).toMatchObject({
    skills: [{ name: 'one', source_path: join(root, '.skillc/skills/one') }],
  });
});

describe('--print-config', () => {
  test.each(['claude', 'cursor', 'codex', 'vscode'])('%s', async (client) => {
    const launch = { command: '<runtime>', args: ['<script>'] };
    const { status, stdout, stderr } = await skc(['mcp', '--print-config', client], { launch });
    expect({ status, stderr, stdout }).toMatchSnapshot();
    expect((await skc(['mcp', '--http', '7411', '--print-config', client])).stdout).toMatchSnapshot('http');
  });

  test('names no path of this machine when skc is on the PATH', async () => {
    const bin = makeDirectory({ skc: '#!/bin/sh\n' });
    chmodSync(join(bin, 'skc'), 0o755);
    const launch = { command: '/opt/node', args: ['/opt/skc/main.js'] };
    const options = { launch, env: { PATH: bin } };
    const { stdout, stderr } = await skc(['mcp', '--print-config', 'cursor'], options);
    expect(JSON.parse(stdout)).toEqual({ mcpServers: { skc: { command: 'skc', args: ['mcp'] } } });
    expect(stderr).toBe('for .cursor/mcp.json in a project, or ~/.cursor/mcp.json\n');
  });

  test('a server that starts from what was printed', async () => {
    const { json } = await skc(['mcp', '--print-config', 'claude', '--json']);
    expect(json()).toEqual({ client: 'claude', place: expect.any(String), config: expect.any(String) });
  });

  test('a port that is not known cannot be printed', async () => {
    expect(await skc(['mcp', '--http', '0', '--print-config', 'claude'])).toMatchObject({
      status: 1,
      stdout: '',
      stderr:
        'error[E100]: --http 0 with --print-config: name the port\nhelp: run `skc mcp --help` to see the options\n',
    });
  });
});
