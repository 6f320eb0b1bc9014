import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import { answerLine } from './answer-message.ts';
import { createConnection } from './create-connection.ts';

const connect = () => {
  const { project, home } = makeWorld({ '~/.agents/skills/one/SKILL.md': skillText('one') });
  return createConnection({ cwd: project, home, env: {} });
};

async function answer(line: string | Uint8Array, connection = connect()): Promise<unknown> {
  const text = await answerLine(typeof line === 'string' ? Buffer.from(line) : line, connection);
  return text === undefined ? undefined : JSON.parse(text);
}

const refused = (id: unknown, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});
const check = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'permissions.check' });
const checked = (id: unknown) => ({
  jsonrpc: '2.0',
  id,
  result: { effect: 'allow', layer: 'default', rule: null },
});

const notJson = refused(null, -32700, 'the line is not JSON');
const badId = 'id must be a string, null or an exact number';

describe('invalid requests', () => {
  test.each<[string | Uint8Array, unknown]>([
    ['not json', notJson],
    ['{"jsonrpc":"2.0","id":1', notJson],
    [Buffer.from([0x22, 0xff, 0x22]), notJson],
    ['{"a":'.repeat(2000), notJson],
    ['null', refused(null, -32600, 'a message must be an object')],
    ['"text"', refused(null, -32600, 'a message must be an object')],
    ['{}', refused(null, -32600, 'jsonrpc must be "2.0"')],
    ['{"jsonrpc":"1.0","id":1,"method":"skills.list"}', refused(1, -32600, 'jsonrpc must be "2.0"')],
    ['{"jsonrpc":"2.0","id":1}', refused(1, -32600, 'method must be a string')],
    ['{"jsonrpc":"2.0","id":1,"method":5}', refused(1, -32600, 'method must be a string')],
    ['{"jsonrpc":"2.0","id":{},"method":"skills.list"}', refused(null, -32600, badId)],
    ['{"jsonrpc":"2.0","id":true,"method":"skills.list"}', refused(null, -32600, badId)],
    ['{"jsonrpc":"2.0","id":12345678901234567890,"method":"skills.list"}', refused(null, -32600, badId)],
    ['{"jsonrpc":"2.0","id":1e999,"method":"skills.list"}', refused(null, -32600, badId)],
    ['[]', refused(null, -32600, 'a batch must not be empty')],
    [`[${'1,'.repeat(1000)}1]`, refused(null, -32600, 'the batch has more than 1000 messages')],
    ['[1,[]]', [1, 2].map(() => refused(null, -32600, 'a message must be an object'))],
    ['', undefined],
    [' \r', undefined],
  ])('%s', async (line, expected) => {
    expect(await answer(line)).toEqual(expected);
  });
});

describe('methods and params', () => {
  test.each<[string, unknown, number, string]>([
    ['skills.serch', {}, -32601, 'unknown method "skills.serch"; did you mean skills.search?'],
    ['toString', {}, -32601, 'unknown method "toString"'],
    ['__proto__', {}, -32601, 'unknown method "__proto__"'],
    ['skills.list', [], -32602, 'params must be an object'],
    ['skills.list', null, -32602, 'params must be an object'],
    ['skills.list', 'text', -32602, 'params must be an object'],
    ['skills.list', { cwd: 'relative' }, -32602, 'cwd must be an absolute path'],
    ['skills.list', { reload: true }, -32602, 'unknown field reload'],
    ['skills.search', {}, -32602, 'missing query'],
    ['skills.search', { query: 1 }, -32602, 'query must be text'],
    ['skills.search', { query: 'x', limit: 1.5 }, -32602, 'limit must be a whole number'],
    ['skills.search', { query: 'x', limit: 0 }, -32602, 'limit must be more than 0'],
    ['skills.search', { query: 'x', scope: 'project' }, -32602, 'scope must be one of repo, user, bundled'],
    ['skills.load', {}, -32602, 'name or path is required'],
    ['skills.load', { name: '' }, -32602, 'name or path is required'],
    ['skills.load', { name: 'one', confirmed: true }, -32602, 'unknown field confirmed'],
    ['skills.load', { name: 'one', by: 'user' }, -32602, 'unknown field by'],
    ['skills.read', { name: 'one' }, -32602, 'missing file'],
    ['skills.setEnabled', { names: [], enabled: false }, -32602, 'names must have at least 1 entry'],
    ['skills.setEnabled', { names: ['a', 1], enabled: false }, -32602, 'names.1 must be text'],
    ['session.resume', { saved: 7 }, -32602, 'saved must be a table'],
    ['initialize', { trust: 'yes' }, -32602, 'trust must be true or false'],
  ])('%s %j', async (method, params, code, message) => {
    const request = { jsonrpc: '2.0', id: 'x', method, params };
    expect(await answer(JSON.stringify(request))).toEqual(refused('x', code, message));
  });
});

test.each([
  [{ version: 9 }, 'E064', 'not a saved session of this version: its version is 9'],
  [{ version: 2, session_id: 7 }, 'E063', 'saved session damaged: session_id must be text'],
])('a session is not resumed from %j', async (saved, code, message) => {
  const request = { jsonrpc: '2.0', id: 0, method: 'session.resume', params: { saved } };
  expect(await answer(JSON.stringify(request))).toMatchObject({
    error: { code: -32000, message, data: { code } },
  });
});

test('an expected failure carries its code, message, help and data', async () => {
  const request = { jsonrpc: '2.0', id: 0, method: 'skills.load', params: { name: 'onne' } };
  const message = "skill 'onne' not found";
  expect(await answer(JSON.stringify(request))).toEqual({
    jsonrpc: '2.0',
    id: 0,
    error: {
      code: -32000,
      message,
      data: { code: 'E001', message, help: 'did you mean one?', data: { suggestions: ['one'] } },
    },
  });
});

test.each([0, -1, 1.5, '', 'text', null])('the id %j comes back unchanged', async (id) => {
  expect(await answer(JSON.stringify(check(id)))).toEqual(checked(id));
});

test('notifications run and get no answer, not even an error', async () => {
  const connection = connect();
  const { cwd } = connection.surroundings;
  const initialize = { jsonrpc: '2.0', method: 'initialize', params: { cwd: join(cwd, '.skillc') } };
  expect(await answer(JSON.stringify(initialize), connection)).toBeUndefined();
  expect(connection.open().cwd).toBe(join(cwd, '.skillc'));
  expect(await answer('{"jsonrpc":"2.0","method":"no.such"}', connection)).toBeUndefined();
  expect(await answer('{"jsonrpc":"2.0","method":"skills.load"}', connection)).toBeUndefined();
});

test('a batch is answered in order, without its notifications', async () => {
  const { id: _, ...notification } = check(0);
  const batch = [check(1), notification, 5, check('two'), { ...check(3), method: 'no' }];
  expect(await answer(JSON.stringify(batch))).toEqual([
    checked(1),
    refused(null, -32600, 'a message must be an object'),
    checked('two'),
    refused(3, -32601, 'unknown method "no"'),
  ]);
  expect(await answer(JSON.stringify([notification, notification]))).toBeUndefined();
});

test('limits, repairs and cuts are reported over the wire', async () => {
  const text = `---\nname: one\ndescription: Use when testing.\nargument-hint: [a] [b]\ntoolsets: ["../x"]\n---\n${'x'.repeat(300_000)}`;
  const { project, home } = makeWorld({
    '~/.agents/skills/one/SKILL.md': text,
    '~/.agents/skills/one/references/a.md': 'Text.\n',
    '~/.skillc/config.toml': '[[permissions.deny]]\ntool = "Bash"\n',
  });
  const connection = createConnection({ cwd: project, home, env: {} });
  const call = async (method: string, params: object) => {
    const message = { jsonrpc: '2.0', id: 1, method, params };
    const { result } = (await answer(JSON.stringify(message), connection)) as { result: Wire };
    return result;
  };
  interface Wire {
    readonly diagnostics: readonly { readonly code: string }[];
    readonly text: string;
    readonly content: string;
    readonly next_offset: number | null;
  }
  const codes = ({ diagnostics }: Wire) => diagnostics.map(({ code }) => code);
  expect(codes(await call('skills.list', {}))).toEqual(['W018']);
  const stub = await call('skills.load', { name: 'one' });
  expect([codes(stub), stub.next_offset]).toEqual([['W016', 'W017'], 0]);
  const first = await call('skills.load', { name: 'one', offset: 0 });
  expect([codes(first), first.next_offset]).toEqual([['W016', 'W017'], 262_144]);
  const second = await call('skills.load', { name: 'one', offset: first.next_offset });
  expect([second.next_offset, second.text.match(/x{9,}/)?.[0].length]).toEqual([null, 300_000 - 262_144]);
  expect((await call('skills.plan', { name: 'one', offset: 262_144 })).next_offset).toBe(null);
  expect(await call('skills.read', { name: 'one', file: 'references' })).toMatchObject({
    kind: 'directory',
    content: 'references/a.md\n',
  });
});
