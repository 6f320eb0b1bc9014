import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from './make-directory.ts';
import { makeWorld, skillText, type World } from './make-world.ts';
import { rowsInCache } from './rows-in.ts';
import { type Message, type RpcClient, startRpc } from './rpc-client.ts';

const files = {
  '.agents/skills/repo-review/SKILL.md': skillText(
    'repo-review',
    '# Review\n\nRead references/checklist.md first.\n',
    'Review pull requests with a risk-first checklist',
  ),
  '.agents/skills/repo-review/references/checklist.md': '- risk first\n',
  '.agents/skills/release-notes/SKILL.md': skillText(
    'release-notes',
    '# Notes\n',
    'Draft release notes from commits',
  ),
  '~/.agents/skills/release-check/SKILL.md': skillText(
    'release-check',
    '# Check\n',
    'Look a release over before it goes out',
  ),
};

const programs = [['node', []] as const, ['native', undefined] as const];

const serve = ({ project, home }: World, more: { runtime?: readonly string[] | undefined } = {}) =>
  startRpc({ cwd: project, home, ...more });

/** A server whose client has said that the folder is trusted. */
async function serveTrusted(world: World): Promise<RpcClient> {
  const client = serve(world);
  await client.call('initialize', { trust: true });
  return client;
}

const failure = (code: string, message: string, more: { help?: string | null; data?: unknown } = {}) => ({
  code: -32000,
  message,
  data: { code, message, help: more.help ?? null, data: more.data ?? null },
});

const rule = (effect: string, name: string) =>
  `[[permissions.${effect}]]\ntool = "skill_load"\nskill_name = "${name}"\n`;

describe.each(programs)('a whole conversation with the %s program', (_name, runtime) => {
  test('list, search, load, reload, compact, load again, inspect, save and resume', async () => {
    const world = makeWorld(files);
    const start = () => serve(world, { runtime });
    const client = start();
    const hello = await client.call('initialize', {
      cwd: world.project,
      trust: true,
      client: { name: 'test', version: '1.0.0' },
    });
    expect(hello).toEqual({
      protocol_version: '1',
      server: { name: 'skillwright', version: expect.any(String) },
      session_id: expect.any(String),
      cwd: world.project,
      trusted: true,
      methods: expect.arrayContaining(['skills.list', 'permissions.remember']),
    });

    const catalog = await client.call('skills.list');
    const dir = join(world.project, '.agents/skills/repo-review');
    const review = {
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'repo-review',
      description: 'Review pull requests with a risk-first checklist',
      path: join(dir, 'SKILL.md'),
      dir,
      scope: 'repo',
      mtimeMs: expect.any(Number),
    };
    expect(catalog.skills.map(({ name, scope }) => [name, scope])).toEqual([
      ['release-notes', 'repo'],
      ['repo-review', 'repo'],
      ['release-check', 'user'],
    ]);
    expect(catalog.skills[1]).toEqual(review);
    expect(catalog).toMatchObject({ hidden: [], errors: [], truncated: false });

    const found = await client.call('skills.search', { query: 'release' });
    expect(found).toMatchObject({ count: 2, truncated: false });
    expect(found.results.map(({ skill, reason }) => [skill.name, reason])).toEqual([
      ['release-notes', 'prefix'],
      ['release-check', 'prefix'],
    ]);
    expect(await client.call('skills.search', { query: 'release', limit: 1 })).toMatchObject({
      count: 1,
      truncated: true,
    });
    expect(await client.call('skills.search', { query: 'release', scope: 'user', limit: 500 })).toMatchObject(
      {
        results: [{ skill: { name: 'release-check' } }],
        truncated: false,
      },
    );

    const first = await client.call('skills.load', { name: 'repo-review' });
    const { id, name, path, mtimeMs } = catalog.skills[1]!;
    expect(first).toEqual({
      status: 'loaded',
      text: `<skill_context name="repo-review" path="${path}">
# Review

Read references/checklist.md first.

Base directory: ${pathToFileURL(`${dir}/`).href}
Relative paths in this skill are resolved from this directory.
<skill_files>
<file>${dir}/references/checklist.md</file>
</skill_files>
</skill_context>`,
      truncated: false,
      next_offset: null,
      metadata: { skill_id: id, name, path, dir, mtime_ms: mtimeMs },
      diagnostics: [],
    });
    for (const file of ['references/checklist.md', `${dir}/references/checklist.md`])
      expect(await client.call('skills.read', { name: 'repo-review', file })).toEqual({
        path: 'references/checklist.md',
        kind: 'file',
        content: '- risk first\n',
        offset: 0,
        size: 13,
        truncated: false,
        next_offset: null,
      });

    const again = await client.call('skills.load', { path });
    expect(again.status).toBe('already-loaded');
    expect(again.text).not.toContain('Read references');

    const compacted = await client.call('context.compacted');
    expect(compacted.skills).toMatchObject([{ path, in_context: false }]);
    expect(compacted.text).toContain(`<name>repo-review</name><path>${path}</path>`);
    expect((await client.call('skills.load', { path })).text).toBe(first.text);

    const version = {
      skill_id: id,
      name,
      path,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      mtime_ms: mtimeMs,
      in_context: true,
    };
    expect(await client.call('context.inspect', { include_skills: true })).toEqual({
      session_id: (hello as { session_id: string }).session_id,
      cwd: world.project,
      trusted: true,
      loadedSkillVersions: [version],
      budget: {
        entries: { used: 3, limit: 200 },
        bytes: { used: expect.any(Number), limit: 32 * 1024 },
        tokens: { used: expect.any(Number), limit: null },
        shortened: 0,
        missing: 0,
      },
      skillsCatalogByCwd: { [world.project]: catalog },
    });

    const saved = await client.call('session.save');
    client.process.stdin.end();
    expect(await client.exited).toEqual({ code: 0, signal: null });
    expect(client.stderr()).toBe('');

    world.write({ '.agents/skills/added/SKILL.md': skillText('added') });
    const next = start();
    await next.call('initialize', { trust: true });
    expect(await next.call('session.resume', { saved })).toMatchObject({
      unchanged: [{ name: 'repo-review', path }],
      changed: [],
      vanished: [],
      added: [{ name: 'added', scope: 'repo' }],
    });
    expect((await next.call('skills.load', { path })).status).toBe('already-loaded');
    expect((await next.call('context.inspect')) as unknown).toMatchObject({ session_id: saved.session_id });
    expect(await next.call('context.compacted', { kept: ['repo-review'] })).toMatchObject({
      skills: [],
      kept: [{ name: 'repo-review' }],
      unknown: [],
      text: '',
    });
    next.process.kill('SIGTERM');
    expect(await next.exited).toEqual({ code: 0, signal: null });
  });
});

describe('trust', () => {
  test('without the word of the client the folder brings neither skills nor rules', async () => {
    const client = serve(makeWorld({ ...files, '.skillc/config.toml': rule('deny', 'release-check') }));
    expect((await client.call('skills.list')).skills.map(({ name }) => name)).toEqual(['release-check']);
    expect((await client.call('context.inspect')) as unknown).toMatchObject({ trusted: false });
  });

  test('a request that is sent before initialize is answered already counts with it', async () => {
    const client = serve(makeWorld(files));
    const [, { skills }] = await Promise.all([
      client.call('initialize', { trust: true }),
      client.call('skills.list'),
    ]);
    expect(skills).toHaveLength(3);
  });

  test('it cannot be changed afterwards', async () => {
    const world = makeWorld(files);
    const client = serve(world);
    await client.call('skills.list');
    await expect(client.call('initialize', { trust: true })).rejects.toEqual({
      code: -32600,
      message: `this connection already uses ${world.project}, not trusted; open another one, and send initialize first`,
    });
    expect(await client.call('initialize', {})).toMatchObject({ cwd: world.project, trusted: false });
  });
});

test('catalogs of several directories, read again when asked', async () => {
  const world = makeWorld({
    ...files,
    'part/.agents/skills/part/SKILL.md': skillText('part'),
    'part/.agents/skills/broken/SKILL.md': 'no frontmatter',
  });
  const client = await serveTrusted(world);
  const cwd = join(world.project, 'part');
  const here = await client.call('skills.list');
  const there = await client.call('skills.list', { cwd });
  expect(there.skills.map(({ name }) => name)).toContain('part');
  expect(there.errors).toEqual([
    {
      path: join(cwd, '.agents/skills/broken/SKILL.md'),
      message: expect.any(String),
      code: expect.any(String),
    },
  ]);
  const { skillsCatalogByCwd } = await client.call('context.inspect', { include_skills: true });
  expect(skillsCatalogByCwd).toEqual({ [world.project]: here, [cwd]: there });

  world.write({ 'part/.agents/skills/late/SKILL.md': skillText('late') });
  const names = async (force_reload: boolean) =>
    (await client.call('skills.list', { cwd, force_reload })).skills.map(({ name }) => name);
  expect(await names(false)).not.toContain('late');
  expect(await names(true)).toContain('late');
  await expect(client.call('skills.list', { cwd: join(cwd, 'no') })).rejects.toMatchObject({
    data: { code: 'E022' },
  });
});

describe('permissions', () => {
  const rules = {
    ...files,
    '~/.skillc/config.toml': rule('deny', 'repo-review') + rule('confirm', 'release-notes'),
  };

  test('what is denied is denied by every name, and cannot be remembered', async () => {
    const world = makeWorld({ ...rules, 'link/review': { link: '../.agents/skills/repo-review' } });
    const client = await serveTrusted(world);
    const path = join(world.project, '.agents/skills/repo-review/SKILL.md');
    const denied = failure('E060', "denied by permission rule: 'repo-review'", {
      data: { reason: 'denied', path },
    });
    for (const reference of [
      { name: 'repo-review' },
      { name: 'Repo-Review' },
      { path },
      { name: 'release-notes', path },
      { name: 'release-notes', path: 'link/review/SKILL.md' },
    ]) {
      await expect(client.call('skills.load', reference)).rejects.toEqual(denied);
      await expect(client.call('permissions.remember', reference)).rejects.toEqual(denied);
      await expect(client.call('permissions.remember', { ...reference, persist: false })).rejects.toEqual(
        denied,
      );
      await expect(
        client.call('skills.read', { ...reference, file: 'references/checklist.md' }),
      ).rejects.toEqual(denied);
    }
    expect((await client.call('skills.list')).hidden).toMatchObject([
      { name: 'repo-review', reason: 'denied' },
    ]);
    expect((await client.call('skills.search', { query: 'repo-review' })).results).toEqual([]);
    expect(await client.call('permissions.check', { name: 'repo-review' })).toEqual({
      effect: 'deny',
      layer: 'user',
      rule: { tool: 'skill_load', skill_name: 'repo-review' },
    });
  });

  const ask = { name: 'release-notes' };
  const unconfirmed = { code: -32000, data: { code: 'E061' } };

  test('what must be confirmed is refused until the host says the user did, for this session', async () => {
    const world = makeWorld(rules);
    const client = await serveTrusted(world);
    expect(await client.call('permissions.check', ask)).toMatchObject({ effect: 'confirm' });
    await expect(client.call('skills.load', ask)).rejects.toMatchObject(unconfirmed);
    expect(await client.call('permissions.remember', { ...ask, persist: false })).toEqual({
      remembered: false,
    });
    expect((await client.call('skills.load', ask)).status).toBe('loaded');
    await expect((await serveTrusted(world)).call('skills.load', ask)).rejects.toMatchObject(unconfirmed);
    world.write({ '.agents/skills/release-notes/SKILL.md': skillText('release-notes', '# Other\n') });
    await expect(client.call('skills.load', ask)).rejects.toMatchObject(unconfirmed);
  });

  test('or for good', async () => {
    const world = makeWorld(rules);
    const client = await serveTrusted(world);
    expect(await client.call('permissions.remember', ask)).toEqual({ remembered: true });
    expect((await client.call('skills.load', ask)).status).toBe('loaded');
    const other = await serveTrusted(world);
    expect((await other.call('skills.load', ask)).status).toBe('loaded');
    expect(await other.call('permissions.check', ask)).toMatchObject({ effect: 'allow', layer: 'user' });
  });

  test('a rule that cannot be understood opens nothing', async () => {
    const client = serve(makeWorld({ ...files, '~/.skillc/config.toml': rule('allow', 'not/a name') }));
    await expect(client.call('initialize', { trust: true })).rejects.toMatchObject({
      data: { code: 'E110' },
    });
    await expect(client.call('skills.load', ask)).rejects.toMatchObject({ data: { code: 'E110' } });
  });
});

test('a name that several skills have is an error with their paths', async () => {
  const world = makeWorld({ ...files, '~/.agents/skills/repo-review/SKILL.md': skillText('repo-review') });
  const client = await serveTrusted(world);
  const candidates = [world.project, world.home].map((base) =>
    join(base, '.agents/skills/repo-review/SKILL.md'),
  );
  await expect(client.call('skills.load', { name: 'repo-review' })).rejects.toEqual(
    failure('E005', "ambiguous skill 'repo-review'", {
      help: 'use the path of the one you mean',
      data: { candidates },
    }),
  );
  const { metadata } = await client.call('skills.load', { path: candidates[1]! });
  expect(metadata.path).toBe(candidates[1]);
});

describe('switching skills off', () => {
  test('takes effect at once, here and in other programs, and back again', async () => {
    const world = makeWorld(files);
    const [client, other] = [await serveTrusted(world), await serveTrusted(world)];
    await Promise.all([client.call('skills.list'), other.call('skills.list')]);
    const names = ['repo-review', 'no-such'];
    expect(await client.call('skills.setEnabled', { names, enabled: false })).toEqual({
      scope: 'repo',
      path: join(world.project, '.skillc/state.json'),
      changed: names,
      still_disabled: [],
      unknown: ['no-such'],
      settled: [
        {
          ...{ name: 'repo-review', removed: [], restored: [] },
          seen_by: [{ agent: 'agents', place: join(world.project, '.agents/skills/repo-review') }],
          fix: `skc build ${join(world.project, '.agents/skills/repo-review')} --import`,
        },
      ],
    });
    for (const each of [client, other]) {
      expect((await each.call('skills.list')).hidden).toMatchObject([
        { name: 'repo-review', reason: 'disabled' },
      ]);
      expect((await each.call('skills.search', { query: 'review' })).results).toEqual([]);
      await expect(each.call('skills.load', { name: 'repo-review' })).rejects.toMatchObject({
        data: {
          code: 'E001',
          help: "it is switched off; run 'skc skills --enable repo-review' to switch it on",
        },
      });
    }
    const late = await serveTrusted(world);
    expect((await late.call('skills.list')).hidden).toHaveLength(1);
    expect(await late.call('skills.setEnabled', { names, enabled: true })).toMatchObject({ changed: names });
    expect((await late.call('skills.load', { name: 'repo-review' })).status).toBe('loaded');
  });

  test('what the user has off stays off, whatever the project says', async () => {
    const world = makeWorld(files);
    const client = await serveTrusted(world);
    const names = ['repo-review'];
    await client.call('skills.setEnabled', { names, enabled: false, scope: 'user' });
    await client.call('skills.setEnabled', { names, enabled: false, scope: 'repo' });
    expect(await client.call('skills.setEnabled', { names, enabled: true, scope: 'repo' })).toMatchObject({
      changed: names,
      still_disabled: names,
    });
    expect((await client.call('skills.list')).hidden).toHaveLength(1);
  });

  test('writes nothing into a folder that is not trusted unless told to', async () => {
    const world = makeWorld(files);
    const client = serve(world);
    const names = ['release-check'];
    expect(await client.call('skills.setEnabled', { names, enabled: false })).toMatchObject({
      scope: 'user',
      path: join(world.home, '.skillc/state.json'),
    });
    expect(existsSync(join(world.project, '.skillc/state.json'))).toBe(false);
  });
});

test('files outside a skill and skills that are gone', async () => {
  const world = makeWorld({ ...files, 'secret.txt': 'secret' });
  const client = await serveTrusted(world);
  await client.call('skills.list');
  const read = (file: string) => client.call('skills.read', { name: 'repo-review', file });
  for (const [resource, code] of [
    ['../../../secret.txt', 'E012'],
    [join(world.project, 'secret.txt'), 'E012'],
    ['missing.md', 'E021'],
    ['references/none', 'E021'],
    ['SKILL.md', 'E021'],
  ] as const)
    await expect(read(resource)).rejects.toMatchObject({ code: -32000, data: { code } });
  await expect(client.call('skills.load', { path: join(world.project, 'secret.txt') })).rejects.toMatchObject(
    {
      data: { code: 'E001' },
    },
  );
  rmSync(join(world.project, '.agents/skills/repo-review'), { recursive: true });
  await expect(client.call('skills.load', { name: 'repo-review' })).rejects.toMatchObject({
    data: { code: 'E001', data: { reason: 'vanished' } },
  });
  await expect(client.call('skills.search', { query: ' ' })).rejects.toMatchObject({
    data: { code: 'E004' },
  });
});

describe('the wire', () => {
  const request = (id: unknown, method = 'permissions.check') =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method })}\n`;
  const allowed = { effect: 'allow', layer: 'default', rule: null };

  test('malformed lines are answered one by one, and the next request as ever', async () => {
    const client = serve(makeWorld());
    client.send('not json\n\n{}\r\n[]\n{"jsonrpc":"2.0","method":"no.such"}\n');
    client.send(`[${request(1).trim()},${request('b', 'no.such').trim()}]\n`);
    client.send(request(2));
    const answers: (Message | Message[])[] = [];
    for (let count = 0; count < 5; count++) answers.push(await client.receive());
    const codes = answers.flatMap((answer) =>
      Array.isArray(answer) ? [] : [answer.error?.code ?? answer.result],
    );
    expect(codes.slice(0, 3)).toEqual([-32700, -32600, -32600]);
    expect(codes[3]).toEqual(allowed);
    expect(answers.find(Array.isArray)).toMatchObject([
      { id: 1, result: allowed },
      { id: 'b', error: { code: -32601 } },
    ]);
  });

  test('a line that is too long is refused without being kept, and the next is read', async () => {
    const client = serve(makeWorld());
    const piece = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 17; count++) client.send(piece);
    expect(await client.receive()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: 'the message is longer than 16777216 bytes' },
    });
    client.send(`${piece}\n${request(1)}`);
    expect(await client.receive()).toEqual({ jsonrpc: '2.0', id: 1, result: allowed });
  });

  test('a line just short of that is read', async () => {
    const client = serve(makeWorld());
    const query = 'x'.repeat(15 * 1024 * 1024);
    await expect(client.call('skills.load', { path: query })).rejects.toMatchObject({
      data: { code: 'E001' },
    });
  });

  test('many requests at once are all answered, each in one piece', async () => {
    const body = `${'word '.repeat(20_000)}\n`;
    const many = Array.from({ length: 20 }, (_, index) => `skill-${index}`);
    const world = makeWorld(
      Object.fromEntries(many.map((name) => [`.agents/skills/${name}/SKILL.md`, skillText(name, body)])),
    );
    const client = await serveTrusted(world);
    const loads = many.map((name) => client.call('skills.load', { name }));
    const lists = Array.from({ length: 200 }, () => client.call('skills.list'));
    const searches = many.map((query) => client.call('skills.search', { query }));
    expect((await Promise.all(loads)).map(({ metadata }) => metadata.name)).toEqual(many);
    for (const { skills } of await Promise.all(lists)) expect(skills).toHaveLength(20);
    expect((await Promise.all(searches)).map(({ results }) => results[0]?.skill.name)).toEqual(many);
  });

  test('what was sent before the end of the input is answered, the last line without an end too', async () => {
    const client = serve(makeWorld());
    client.process.stdin.end(request(1) + request(2).trimEnd());
    expect(await client.exited).toEqual({ code: 0, signal: null });
    expect(client.lines.map((line) => JSON.parse(line))).toEqual(
      [1, 2].map((id) => ({ jsonrpc: '2.0', id, result: allowed })),
    );
  });

  test('a client that goes away in the middle of an answer', async () => {
    const client = serve(makeWorld(files));
    for (let id = 1; id <= 200; id++) client.send(request(id, 'skills.list'));
    client.process.stdout.destroy();
    expect(await client.exited).toEqual({ code: 0, signal: null });
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it in order', async (signal) => {
    const client = serve(makeWorld());
    await client.call('initialize');
    client.process.kill(signal);
    expect(await client.exited).toEqual({ code: 0, signal: null });
    expect(client.lines).toHaveLength(1);
  });

  test('SIGTERM ends it also when nobody reads its answers', async () => {
    const client = await serveTrusted(makeWorld(files));
    const exited = new Promise((resolve) => client.process.once('exit', resolve));
    client.process.stdout.pause();
    client.send(request(1, 'skills.list').repeat(5000));
    client.process.kill('SIGTERM');
    expect(await exited).toBe(0);
  });

  test('whatever anything prints, standard output carries the protocol alone', async () => {
    const noise = makeDirectory({
      'noise.mjs': `const original = process.stdout.write;
setInterval(() => {
  if (process.stdout.write === original) return;
  console.log('noise'); process.stdout.write('noise\\n');
}, 1).unref();\n`,
    });
    const client = serve(makeWorld(files), {
      runtime: ['--import', pathToFileURL(join(noise, 'noise.mjs')).href],
    });
    for (let count = 0; count < 20; count++) await client.call('skills.list', { force_reload: true });
    client.process.stdin.end();
    await client.exited;
    expect(client.lines).toHaveLength(20);
    expect(client.stderr()).toContain('noise\n');
  });
});

test('the directory may vanish under the server', async () => {
  const world = makeWorld(files);
  const cwd = join(world.project, 'gone');
  mkdirSync(cwd);
  const client = startRpc({ cwd, home: world.home });
  await client.call('initialize', { trust: true });
  rmSync(cwd, { recursive: true });
  expect((await client.call('skills.list')).skills).toHaveLength(3);
});

describe('a message of the user', () => {
  const world = () =>
    makeWorld({
      ...files,
      '~/.skillc/config.toml': rule('deny', 'release-notes'),
      '.agents/skills/greet/SKILL.md':
        '---\nname: greet\ndescription: D.\ncontext: fork\nallowed-tools: Read\ntriggers: {keywords: [welcome]}\n---\nGreet $0 and $1. !`id`\n',
    });

  test('names skills', async () => {
    const client = await serveTrusted(world());
    const { mentions } = await client.call('skills.mentions', {
      text: '$repo-review then $release-notes, $HOME and [$x](/etc/SKILL.md)',
    });
    expect(mentions.map(({ name, skill, problem }) => [name, skill?.name ?? null, problem])).toEqual([
      ['repo-review', 'repo-review', null],
      ['release-notes', null, 'denied'],
      ['x', null, 'not-in-catalog'],
    ]);
  });

  test('meets triggers', async () => {
    const client = await serveTrusted(world());
    const { matches } = await client.call('skills.triggers', { text: 'Welcome them, with release-notes' });
    expect(matches.map(({ skill, reasons }) => [skill.name, reasons])).toEqual([
      ['greet', [{ kind: 'keyword', value: 'welcome', matched: 'Welcome' }]],
      ['release-check', [{ kind: 'description', value: 'release', matched: 'release' }]],
    ]);
  });

  test('has a skill carried out; its commands are told and not run', async () => {
    const client = await serveTrusted(world());
    const plan = { name: 'greet', arguments: '"the whole" world' };
    expect(await client.call('skills.plan', plan)).toMatchObject({
      body: 'Greet the whole and world. !`id`',
      mode: 'fork',
      allowed_tools: ['Read'],
      dynamic: [{ command: 'id' }],
    });
    const words = { ...plan, arguments: ['a', 'b'], by: 'model' as const };
    expect(await client.call('skills.plan', words)).toMatchObject({ body: 'Greet a and b. !`id`' });
    await expect(client.call('skills.plan', { name: 'release-notes' })).rejects.toMatchObject({
      data: { code: 'E060' },
    });
  });
});

test('a quiz stands before a skill until it is passed, and its answers are recorded', async () => {
  const gated =
    '---\nname: gated\ndescription: D.\nquiz: {gate: true, questions: [{question: Q, options: [{label: right, correct: true}, {label: wrong}]}]}\n---\nThe body.\n';
  const world = makeWorld({ '.agents/skills/gated/SKILL.md': gated });
  const client = await serveTrusted(world);
  const name = 'gated';
  const closed = await client.call('skills.load', { name });
  expect([closed.status, closed.text.includes('The body.')]).toEqual(['quiz', false]);
  expect((await client.call('skills.plan', { name })).body).not.toContain('The body.');
  const { quizzes } = await client.call('skills.quiz', { name });
  const [{ question, options }] = quizzes[0]!.questions as [(typeof quizzes)[0]['questions'][0]];
  const choose = (text: string) => ({
    question,
    options: options.filter((option) => option.text === text).map(({ option }) => option),
  });
  const answer = (text: string) => client.call('skills.answerQuiz', { name, choices: [choose(text)] });
  expect(await answer('wrong')).toMatchObject({ answers: [{ correct: false }], quiz: { gate: 'closed' } });
  expect(await answer('right')).toMatchObject({ answers: [{ correct: true }], quiz: { gate: 'open' } });
  expect((await client.call('skills.load', { name })).text).toContain('The body.');
  const rows = rowsInCache(world.home, 'gated');
  const attempt = (passed: boolean) => ({
    name,
    answers: [{ question: 1, right: passed }],
    attempts: [{ quiz: 1, passed, questions: [1] }],
  });
  expect(rows.map(({ command, args }) => [command, JSON.parse(args as string)])).toEqual([
    ['load', { name }],
    ['plan', { name, by: 'user' }],
    ['quiz', attempt(false)],
    ['quiz', attempt(true)],
    ['load', { name, files: ['SKILL.md'], read: [] }],
  ]);
});

describe('the access log', () => {
  test('has a row for each load, plan and read, failures included, and for nothing else', async () => {
    const world = makeWorld({ ...files, '~/.skillc/config.toml': rule('deny', 'release-notes') });
    const client = await serveTrusted(world);
    const name = 'repo-review';
    const dir = join(world.project, '.agents/skills/repo-review');
    await client.call('skills.list');
    await client.call('skills.search', { query: name });
    const { text } = await client.call('skills.load', { name });
    await client.call('skills.load', { path: join(dir, 'SKILL.md') });
    await client.call('skills.read', { name, file: 'references/checklist.md' });
    await expect(client.call('skills.read', { name, file: 'none.md' })).rejects.toMatchObject({
      data: { code: 'E021' },
    });
    await client.call('skills.plan', { name });
    await expect(client.call('skills.load', { name: 'release-notes' })).rejects.toBeTruthy();
    await expect(client.call('skills.load', { name: 'nobody' })).rejects.toBeTruthy();
    const rows = rowsInCache(world.home, name);
    const read = [{ file: 'SKILL.md', section: 'Review', anchor: 'review', lines: 3, asked: 0 }];
    expect(
      rows.map(({ command, args, error, skill, skill_path, cwd }) => ({
        command,
        args: JSON.parse(args as string),
        error,
        at: [skill, skill_path, cwd],
      })),
    ).toEqual(
      [
        { command: 'load', args: { name, files: ['SKILL.md'], read }, error: null },
        // The reminder that the skill was loaded before serves no file.
        { command: 'load', args: { path: join(dir, 'SKILL.md') }, error: null },
        {
          command: 'open',
          args: { name, file: 'references/checklist.md', files: ['references/checklist.md'], read: [] },
          error: null,
        },
        { command: 'open', args: { name, file: 'none.md' }, error: 'E021' },
        { command: 'plan', args: { name, by: 'user', files: ['SKILL.md'], read }, error: null },
      ].map((row) => ({ ...row, at: [name, dir, world.project] })),
    );
    expect(rows[0]).toMatchObject({ bytes: Buffer.byteLength(text), tokens: expect.any(Number) });
    expect(rowsInCache(world.home, 'release-notes')).toMatchObject([{ command: 'load', error: 'E060' }]);
    const stats = await world.run(['stats', name, '--group-by', 'files', '--json'], { env: {} });
    expect((stats.json() as { data: unknown }).data).toMatchObject([
      { file: 'SKILL.md', count: 2 },
      { file: 'references/checklist.md', count: 1 },
    ]);
  });

  test.each([
    ['the user', { '~/.skillc/config.toml': '[usage]\nenabled = false\n' }, {}],
    ['the environment', {}, { SKC_NO_LOG: '1' }],
  ])('is not there when %s says so', async (_who, more, env) => {
    const world = makeWorld({ ...files, ...more });
    const client = startRpc({ cwd: world.project, home: world.home, env });
    await client.call('initialize', { trust: true });
    await client.call('skills.load', { name: 'repo-review' });
    expect(world.list(world.project)['.skillc/runtime']).toBe(undefined);
  });

  test('that cannot be written fails nothing, and is told once', async () => {
    const world = makeWorld({
      ...files,
      '.skillc/runtime': 'a file',
      '.skillc/logs': 'a file',
      '~/.skillc/cache': 'a file',
    });
    const client = await serveTrusted(world);
    for (let time = 0; time < 3; time++)
      expect((await client.call('skills.load', { name: 'repo-review' })).text).toContain('repo-review');
    client.process.stdin.end();
    await client.exited;
    expect(client.stderr().match(/warning\[W002\]/g)).toHaveLength(1);
  });

  test('of a folder that is not trusted: nothing is written there', async () => {
    const world = makeWorld({ ...files, '.skillc/config.toml': 'broken [' });
    const client = serve(world);
    await client.call('skills.load', { name: 'release-check' });
    expect(rowsInCache(world.home, 'release-check')).toMatchObject([{ command: 'load', cwd: world.project }]);
    expect(world.list(world.project)['.skillc/runtime']).toBe(undefined);
  });
});
