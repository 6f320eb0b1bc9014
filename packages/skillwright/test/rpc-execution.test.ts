// Scripts, tools, hooks and notifications over `skc rpc`, for hosts in other languages.

import { spawnSync } from 'node:child_process';
import { beforeEach, describe, expect, test } from 'vitest';
import { isSleeping, uniqueSeconds } from './is-sleeping.ts';
import { makeWorld, skillText, type World } from './make-world.ts';
import { requireProgram } from './required-program.ts';
import { type Message, type RpcClient, startRpc } from './rpc-client.ts';

const files = {
  '.agents/skills/words/SKILL.md': `---
name: words
description: Counts words.
toolsets: ["tools:Words"]
hooks:
  PreToolUse:
    - matcher: Bash
      hooks: [{type: command, command: "grep -q 'rm ' && { echo never >&2; exit 2; } || exit 0"}]
---

# Words
`,
  '.agents/skills/words/tools.js': `const started = String(Math.random());
export const Words = { tools: {
  count: {
    description: 'Counts words.',
    input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    run: ({ text }) => ({ words: text.split(' ').length }),
  },
  started: { description: 'Says which process it is.', run: () => started },
} };`,
  '.agents/skills/words/scripts/wait.sh': '#!/bin/sh\n# Waits.\nsleep "$1"\n',
  '.agents/skills/words/scripts/echo.sh': '#!/bin/sh\n# Says it again.\ncat\necho "$1"\n',
  '.agents/skills/words/references/long.md': 'äöü',
  '.agents/skills/other/SKILL.md': skillText('other'),
} as const;

beforeEach((context) => requireProgram(context, 'bwrap'));

async function serve(
  world: World,
  params: { session_id?: string; watch?: boolean } = {},
): Promise<RpcClient> {
  const client = startRpc({ cwd: world.project, home: world.home });
  await client.call('initialize', { trust: true, ...params });
  return client;
}

async function serveTrusted(): Promise<{ world: World; client: RpcClient }> {
  const world = makeWorld(files);
  await world.run(['tools', 'words', '--trust']);
  return { world, client: await serve(world) };
}

const name = 'words';

test('the prompt has the form and the budget that the host wants', async () => {
  const client = await serve(makeWorld(files));
  const whole = await client.call('context.prompt');
  expect(whole).toMatchObject({ shown: 2, shortened: 0, missing: 0 });
  expect(whole.text).toMatch(/^<available_skills>[\s\S]+<name>words<\/name>/);
  const small = await client.call('context.prompt', { renderer: 'markdown', budgets: { entries: 1 } });
  expect(small).toMatchObject({ shown: 1, missing: 1 });
  expect(small.text).not.toContain('<available_skills>');
  expect(small.text).toContain('skill_search');
});

test('files are listed, and read in parts', async () => {
  const client = await serve(makeWorld(files));
  expect(await client.call('skills.resources', { name, directory: 'references' })).toEqual({
    files: ['references/long.md'],
    total: 1,
    truncated: false,
  });
  const parts: unknown[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const request = { name, file: 'references/long.md', offset, limit: 3 };
    const part: { content: string; next_offset: number | null } = await client.call('skills.read', request);
    parts.push(part);
    offset = part.next_offset;
  }
  const shared = { path: 'references/long.md', kind: 'file', size: 6 };
  expect(parts).toEqual([
    { ...shared, content: 'ä', offset: 0, truncated: true, next_offset: 2 },
    { ...shared, content: 'ö', offset: 2, truncated: true, next_offset: 4 },
    { ...shared, content: 'ü', offset: 4, truncated: false, next_offset: null },
  ]);
});

test('the session has the id that the host gives it', async () => {
  const world = makeWorld(files);
  const client = await serve(world, { session_id: 'talk-7' });
  expect(await client.call('initialize', { trust: true })).toMatchObject({ session_id: 'talk-7' });
  expect(await client.call('context.inspect')).toMatchObject({ session_id: 'talk-7' });
  await expect(client.call('initialize', { trust: true, session_id: 'other' })).rejects.toMatchObject({
    code: -32600,
  });
});

test('scripts are listed and run', async () => {
  const client = await serve(makeWorld(files));
  expect((await client.call('scripts.list', { name })).scripts).toMatchObject([
    { name: 'echo.sh', summary: 'Says it again.' },
    { name: 'wait.sh', summary: 'Waits.' },
  ]);
  const script = { name, script: 'echo.sh' };
  expect(await client.call('scripts.run', { ...script, args: ['1'], stdin: '2', json: true })).toEqual({
    ok: true,
    exitCode: 0,
    stdout: '21\n',
    stderr: '',
    truncated: false,
    timedOut: false,
    durationMs: expect.any(Number),
    sandbox: 'bubblewrap',
    data: 21,
    diagnostics: [],
  });
  await expect(client.call('scripts.run', { name, script: 'none.sh' })).rejects.toMatchObject({
    data: { code: 'E070' },
  });
});

describe('tools', () => {
  test('are there from activation to deactivation', async () => {
    const { client } = await serveTrusted();
    await expect(client.call('tools.call', { tool: 'words__count' })).rejects.toMatchObject({
      data: { code: 'E092', data: { active: [] } },
    });
    const activation = await client.call('tools.activate', { name });
    expect(activation.diagnostics).toEqual([]);
    expect(activation.tools[0]).toMatchObject({ name: 'words__count', skill: 'words', tool: 'count' });
    expect(await client.call('tools.list')).toEqual({ tools: activation.tools });
    const input = { text: 'a b c' };
    for (const call of [{ tool: 'words__count' }, { skill: 'words', tool: 'count' }])
      expect(await client.call('tools.call', { ...call, input })).toEqual({ result: { words: 3 } });
    await expect(client.call('tools.call', { tool: 'words__count' })).rejects.toMatchObject({
      data: { code: 'E075' },
    });
    expect(await client.call('tools.deactivate', { name })).toEqual({ deactivated: true });
    expect(await client.call('tools.list')).toEqual({ tools: [] });
  });

  test('are not there for a skill that the user does not trust', async () => {
    const client = await serve(makeWorld(files));
    const { tools, diagnostics } = await client.call('tools.activate', { name });
    expect([tools, diagnostics.map(({ code }) => code)]).toEqual([[], ['E080']]);
  });
});

describe('hooks', () => {
  const ask = (client: RpcClient, command: string) =>
    client.call('hooks.dispatch', {
      event: 'PreToolUse',
      payload: { tool_name: 'Bash', tool_input: { command } },
    });

  test('decide for the skills that were loaded', async () => {
    const { client } = await serveTrusted();
    expect(await ask(client, 'rm -r x')).toMatchObject({ decision: null, reasons: [] });
    await client.call('skills.load', { name });
    expect(await ask(client, 'rm -r x')).toMatchObject({ decision: 'block', reasons: ['never'] });
    expect(await ask(client, 'ls')).toMatchObject({ decision: null, reasons: [] });
  });

  test('say no when they cannot be run', async () => {
    const world = makeWorld(files);
    await world.run(['tools', 'words', '--trust']);
    const client = startRpc({ cwd: world.project, home: world.home, env: { PATH: '/nowhere' } });
    await client.call('initialize', { trust: true });
    await client.call('skills.load', { name });
    expect(await ask(client, 'ls')).toMatchObject({ decision: 'block' });
  });
});

describe('while a script runs', () => {
  test('others are answered, by the process that has the tools', async () => {
    const { client } = await serveTrusted();
    await client.call('tools.activate', { name });
    const which = () => client.call('tools.call', { tool: 'words__started' });
    const before = await which();
    const seconds = uniqueSeconds();
    const params = { name, script: 'wait.sh', args: [seconds] };
    client.send(`${JSON.stringify({ jsonrpc: '2.0', id: 'long', method: 'scripts.run', params })}\n`);
    await expect.poll(() => isSleeping(seconds)).toBe(true);
    expect(await which()).toEqual(before);
    expect((await client.call('skills.load', { name })).status).toBe('loaded');
    expect(await client.call('requests.cancel', { id: 'long' })).toEqual({ cancelled: true });
    expect(await client.receive()).toMatchObject({
      id: 'long',
      error: { code: -32000, data: { code: 'E091' } },
    });
    await expect.poll(() => isSleeping(seconds)).toBe(false);
    expect(await client.call('requests.cancel', { id: 'long' })).toEqual({ cancelled: false });
    expect(await which()).toEqual(before);
  });

  test('the end of the client ends it', async () => {
    const { client } = await serveTrusted();
    const seconds = uniqueSeconds();
    const params = { name, script: 'wait.sh', args: [seconds] };
    client.send(`${JSON.stringify({ jsonrpc: '2.0', id: 'long', method: 'scripts.run', params })}\n`);
    await expect.poll(() => isSleeping(seconds)).toBe(true);
    client.process.kill('SIGTERM');
    await client.exited;
    await expect.poll(() => isSleeping(seconds)).toBe(false);
  });
});

test('another process goes on with the tools when one is lost', async () => {
  const { client } = await serveTrusted();
  await client.call('skills.load', { name });
  const { tools } = await client.call('tools.activate', { name });
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(client.process.pid)], {
    encoding: 'utf8',
  });
  for (const pid of stdout.split('\n').filter((line) => line.trim() !== ''))
    process.kill(Number(pid), 'SIGKILL');
  // Running calls are reported as lost; the next call works again.
  await expect.poll(() => client.call('tools.list').catch(() => undefined)).toEqual({ tools });
  const count = { skill: 'words', tool: 'count', input: { text: 'a b' } };
  expect(await client.call('tools.call', count)).toEqual({ result: { words: 2 } });
  expect((await client.call('skills.load', { name })).status).toBe('already-loaded');
});

describe('changes', () => {
  const changed = (cwd: string): Message => ({ jsonrpc: '2.0', method: 'skills.changed', params: { cwd } });

  test('are told to a client that wants to hear of them, and are there when it reads again', async () => {
    const world = makeWorld(files);
    const client = await serve(world, { watch: true });
    const names = async (force_reload: boolean) =>
      (await client.call('skills.list', { force_reload })).skills.map((skill) => skill.name);
    expect(await names(false)).toEqual(['other', 'words']);
    world.write({ '.agents/skills/late/SKILL.md': skillText('late') });
    expect(await client.receive()).toEqual(changed(world.project));
    expect(await names(false)).toEqual(['other', 'words']);
    expect(await names(true)).toEqual(['late', 'other', 'words']);
    world.write({
      '~/.skillc/config.toml': '[[permissions.deny]]\ntool = "skill_load"\nskill_name = "late"\n',
    });
    expect(await client.receive()).toEqual(changed(world.project));
    expect(await names(true)).toEqual(['other', 'words']);
  });
});
