import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import { requireProgram } from '../../../test/required-program.ts';
import type { Connection } from '../commands/session/method.ts';
import { type RpcMethodName, rpcMethods } from '../commands/session/methods.ts';
import { createConnection } from './create-connection.ts';
import { loadMethods } from './load-methods.ts';
import { rpcSchemas } from './rpc-schemas.ts';

const guide = readFileSync(new URL('../../../../../docs/guide/rpc.md', import.meta.url), 'utf8');

const methods = await loadMethods();

const call = (method: RpcMethodName, params: object, connection: Connection) => {
  const operation = methods.get(method)!;
  return operation.run(operation.input.parse(params), connection);
};

test('the methods match the table', () => {
  expect([...methods.keys()]).toEqual(Object.keys(rpcMethods));
});

test('every method declares what it touches', () => {
  const read = { skill: 'name', operation: 'read' };
  const run = { skill: 'name', operation: 'run' };
  const list = { skills: 'list' };
  expect(Object.fromEntries([...methods].map(([name, { touches }]) => [name, touches]))).toEqual({
    initialize: 'nothing',
    'skills.list': list,
    'skills.search': list,
    'skills.load': read,
    'skills.read': read,
    'skills.resources': read,
    'skills.outline': read,
    'skills.section': read,
    'skills.findIn': read,
    'skills.plan': { skill: 'name', operation: 'invoke' },
    'skills.mentions': list,
    'skills.triggers': list,
    'skills.quiz': read,
    'skills.answerQuiz': read,
    'skills.setEnabled': list,
    'scripts.list': read,
    'scripts.run': run,
    'tools.activate': run,
    'tools.list': { skills: 'run' },
    'tools.call': { skills: 'run' },
    'tools.deactivate': list,
    'hooks.dispatch': { skills: 'run' },
    'hooks.decide': run,
    'context.prompt': list,
    'context.inspect': list,
    'context.compacted': list,
    'session.save': list,
    'session.resume': list,
    'permissions.check': list,
    'permissions.remember': read,
    'requests.cancel': 'nothing',
  });
});

test('the schemas are pinned', async () => {
  expect(await rpcSchemas()).toMatchSnapshot();
});

describe('the guide', () => {
  test('has every method with its params', async () => {
    const rows = Object.entries(await rpcSchemas()).map(([name, { summary, params }]) => {
      const required = (params.required ?? []) as string[];
      const fields = Object.keys((params.properties ?? {}) as object).map((field) =>
        required.includes(field) ? field : `${field}?`,
      );
      return `| \`${name}\` | ${fields.length === 0 ? '' : `\`{${fields.join(', ')}}\``} | ${summary.toLowerCase()} |`;
    });
    const written = guide.split('\n').filter((line) => /^\| `/.test(line));
    expect(written.map((row) => row.toLowerCase())).toEqual(rows.map((row) => row.toLowerCase()));
  });

  test('shows valid requests', () => {
    const requests = guide.split('\n').filter((line) => line.startsWith('{"jsonrpc"'));
    expect(requests).toHaveLength(6);
    for (const request of requests.map((line) => JSON.parse(line))) {
      const { input } = methods.get(request.method)!;
      expect(input.safeParse(request.params ?? {}).success, request.method).toBe(true);
    }
  });
});

const planned = `---
name: planned
description: D.
context: fork
model: small
allowed-tools: Read Bash(git:*)
triggers: {verbs: [greet]}
hooks:
  PreToolUse:
    - matcher: Bash
      hooks: [{type: command, command: ./check.sh, timeout: 5}]
---
Do $0 with $1. !\`date\`
`;

const words = `---
name: words
description: D.
toolsets: ["tools:Words"]
hooks:
  PreToolUse:
    - matcher: Bash
      hooks: [{type: command, command: "echo no >&2; exit 2"}]
---
Count.
`;
const toolset = `export const Words = { tools: { count: {
  description: 'Counts words.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: ({ text }) => ({ words: text.split(' ').length }),
} } };`;

const gated = `---
name: gated
description: D.
quiz:
  - title: T
    gate: true
    questions:
      - question: Which?
        options:
          - {label: this, correct: true}
          - {label: that}
---
Body.
`;

describe('every answer matches its schema exactly', () => {
  beforeEach((context) => requireProgram(context, 'bwrap'));

  const samples: Record<RpcMethodName, Record<string, unknown>> = {
    initialize: { trust: true, client: { name: 'test' } },
    'skills.list': { force_reload: true },
    'skills.search': { query: 'one', scope: 'repo' },
    'skills.load': { name: 'one' },
    'skills.read': { name: 'one', file: 'notes.md', offset: 2, limit: 2 },
    'skills.resources': { name: 'one', directory: 'scripts', limit: 1 },
    'skills.outline': { name: 'one', level: 2 },
    'skills.section': { name: 'one', section: 'SKILL.md', limit: 3 },
    'skills.findIn': { name: 'one', query: 'notes' },
    'skills.plan': { name: 'planned', arguments: 'a "b c"' },
    'skills.mentions': { text: 'use $one, $two and [$x](/nowhere/SKILL.md)' },
    'skills.triggers': { text: 'please greet the one' },
    'skills.quiz': { name: 'gated' },
    'skills.answerQuiz': { name: 'gated', choices: [{ question: 1, options: [1] }] },
    'skills.setEnabled': { names: ['two'], enabled: true },
    'scripts.list': { name: 'one' },
    'scripts.run': { name: 'one', script: 'go.sh', args: ['x'], json: true },
    'tools.activate': { name: 'words' },
    'tools.list': {},
    'tools.call': { skill: 'words', tool: 'count', input: { text: 'a b' } },
    'tools.deactivate': { name: 'words' },
    'hooks.dispatch': { event: 'PreToolUse', payload: { tool_name: 'Bash', tool_input: { command: 'rm' } } },
    'hooks.decide': { name: 'words', decision: 'skip' },
    'context.prompt': { renderer: 'markdown', budgets: { entries: 1 } },
    'context.inspect': { include_skills: true },
    'context.compacted': {},
    'session.save': {},
    'session.resume': {
      saved: {
        ...{ version: 2, session_id: 'x', cwd: '/' },
        ...{ loaded: [], known: [], active: [], confirmed: [], quizzes: [] },
      },
    },
    'permissions.check': { name: 'two' },
    'permissions.remember': { name: 'one', persist: false },
    'requests.cancel': { id: 'none' },
  };

  test.each(Object.keys(rpcMethods) as RpcMethodName[])('%s', async (name) => {
    const world = makeWorld({
      '.agents/skills/one/SKILL.md': skillText('one'),
      '.agents/skills/one/notes.md': 'notes\n',
      '.agents/skills/one/scripts/go.sh': '#!/bin/sh\n# Says it.\necho "\\"$1\\""\n',
      '.agents/skills/words/SKILL.md': words,
      '.agents/skills/words/tools.js': toolset,
      '.agents/skills/two/SKILL.md': skillText('two'),
      '.agents/skills/broken/SKILL.md': '---\n',
      '.agents/skills/planned/SKILL.md': planned,
      '.agents/skills/gated/SKILL.md': gated,
      '.skillc/config.toml': '[[permissions.deny]]\ntool = "skill_load"\nskill_name = "two"\n',
    });
    await world.run(['tools', 'words', '--trust']);
    const { project, home } = world;
    const connection = createConnection({ cwd: project, home, env: { PATH: process.env.PATH } });
    onTestFinished(() => connection.close());
    connection.open({ trust: true });
    const session = await connection.session();
    await session.load({ name: 'one' });
    await session.load({ name: 'words' });
    if (/^tools\.(list|call|deactivate)$/.test(name)) await session.activate({ name: 'words' });
    const sent = JSON.parse(JSON.stringify(await call(name, samples[name], connection)));
    expect(methods.get(name)!.output.parse(sent)).toEqual(sent);
  });
});

test.each([true, false])('a user-only skill can be confirmed (persist: %j)', async (persist) => {
  const { project, home } = makeWorld({
    '.agents/skills/deploy/SKILL.md':
      '---\nname: deploy\ndescription: Deploys.\ndisable-model-invocation: true\n---\nShip it.\n',
    '~/.skillc/config.toml': '[[permissions.confirm]]\ntool = "skill_load"\n',
  });
  const connection = createConnection({ cwd: project, home, env: {} });
  connection.open({ trust: true });
  const ask = (method: RpcMethodName, params: object) => call(method, params, connection);
  await expect(ask('skills.plan', { name: 'deploy' })).rejects.toMatchObject({ code: 'E061' });
  expect(await ask('permissions.remember', { name: 'deploy', persist })).toEqual({ remembered: persist });
  expect(await ask('skills.plan', { name: 'deploy' })).toMatchObject({ body: 'Ship it.' });
  await expect(ask('skills.load', { name: 'deploy' })).rejects.toMatchObject({ code: 'E060' });
});

test('skills are switched by any name the command line accepts', async () => {
  const { project, home } = makeWorld({ '~/.agents/skills/folder/SKILL.md': skillText('title') });
  const connection = createConnection({ cwd: project, home, env: {} });
  const switchTo = (enabled: boolean, ...names: string[]) =>
    call('skills.setEnabled', { names, enabled }, connection);
  expect(await switchTo(false, 'folder')).toMatchObject({ changed: ['title'], unknown: [] });
  expect(await switchTo(true, '$Title')).toMatchObject({ changed: ['title'], unknown: [] });
});
