// Messages of strangers over `skc rpc` and `skc mcp`: each request gets one answer, and the next one is answered too.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import * as fc from 'fast-check';
import { once } from '../../src/base/diagnostics/index.ts';
import { openContext } from '../../src/front/commands/run-command.ts';
import { rpcMethods } from '../../src/front/commands/session/methods.ts';
import { createServer } from '../../src/front/mcp/index.ts';
import { loadTools } from '../../src/front/mcp/load-tools.ts';
import { openServing } from '../../src/front/mcp/open-serving.ts';
import { answerLine } from '../../src/front/rpc/answer-message.ts';
import { createConnection } from '../../src/front/rpc/create-connection.ts';
import { writeTree } from '../make-directory.ts';
import { fuzzTarget, requireSame } from './fuzz-target.ts';

const text = '---\nname: demo\ndescription: Use for demos.\n---\n\n# Demo\n\n## Steps\n\nWords.\n';

const openPlace = once(() => {
  const root = mkdtempSync(join(tmpdir(), 'skc-fuzz-'));
  writeTree(root, {
    'project/.skillc/skills/demo/SKILL.md': text,
    'project/.skillc/skills/demo/scripts/run.sh': 'echo ran\n',
    home: { directory: true },
  });
  return { root, project: join(root, 'project'), home: join(root, 'home') };
});
const closePlace = async () => rmSync(openPlace().root, { recursive: true, force: true });

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
const words = fc.oneof(
  fc.constantFrom(
    'demo',
    'Steps',
    '',
    '.',
    '..',
    '../..',
    '/etc/passwd',
    'run.sh',
    '__proto__',
    '\0',
    '\ud800',
    '-x',
    'file:///etc',
  ),
  fc.string({ unit: 'binary', maxLength: 10 }),
);
const value = fc.oneof(
  { weight: 4, arbitrary: words },
  fc.constantFrom(0, -1, 1e308, true, null, 2 ** 53),
  fc.array(words, { maxLength: 3 }),
  fc.anything({ maxDepth: 2, withNullPrototype: false }).map(json),
);
const fields = [
  'name',
  'skill',
  'path',
  'file',
  'query',
  'section',
  'script',
  'args',
  'id',
  'event',
  'uri',
  'cursor',
  'limit',
  'budget',
];
const params = fc.oneof(
  { weight: 5, arbitrary: fc.dictionary(fc.oneof(fc.constantFrom(...fields), words), value, { maxKeys: 4 }) },
  value,
);
const id = fc.oneof(fc.nat(9), words, fc.constantFrom(null, 1.5, -0, true, [], {}));

/** Everything but what would end the process, or run for long. */
const methods = Object.keys(rpcMethods).filter(
  (name) => !/^(?:scripts|hooks|toolsets|tools)\.|shutdown|exit/.test(name),
);
const request = (names: readonly string[]) =>
  fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0', 2),
      id,
      method: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, words),
      params,
    },
    { requiredKeys: [] },
  );
const damaged = fc
  .tuple(
    fc.oneof(request(methods), fc.array(request(methods), { maxLength: 3 }), value),
    fc.nat(40),
    fc.string({ unit: 'binary', maxLength: 3 }),
    fc.integer({ min: 0, max: 9 }),
  )
  .map(([message, at, piece, chance]) => {
    const line = JSON.stringify(message) ?? '';
    return chance > 0 ? line : line.slice(0, at) + piece + line.slice(at);
  });

const connect = once(() => {
  const { project, home } = openPlace();
  const connection = createConnection({ cwd: project, home, env: { SKC_NO_LOG: '1' } });
  connection.open({ trust: true });
  return connection;
});

/** The requests of a line that expect an answer, and its answers. */
function pair(line: string, answer: string | undefined) {
  const list = (parsed: unknown): unknown[] => (Array.isArray(parsed) ? parsed : [parsed]);
  let asked: unknown[] | undefined;
  try {
    asked = line.trim() === '' ? [] : list(JSON.parse(line));
  } catch {
    // Answered with an error.
  }
  return { asked, answers: answer === undefined ? [] : list(JSON.parse(answer)) };
}

const rpc = fuzzTarget({
  name: 'rpc',
  inputs: damaged,
  async check(line: string) {
    const bytes = Buffer.from(line.replaceAll('\n', ' '));
    const { asked, answers } = pair(bytes.toString('utf8'), await answerLine(bytes, connect()));
    for (const answer of answers as {
      jsonrpc?: unknown;
      error?: { code?: unknown; data?: { code?: string } };
    }[]) {
      requireSame(answer.jsonrpc, '2.0', 'the version');
      requireSame('result' in answer !== 'error' in answer, true, 'a result or an error');
      if (answer.error?.code === -32603) throw new Error(`an internal error: ${JSON.stringify(answer)}`);
    }
    if (asked !== undefined && answers.length > Math.max(1, asked.length))
      throw new Error('more answers than requests');
    const next = await answerLine(
      Buffer.from('{"jsonrpc":"2.0","id":"next","method":"skills.list"}'),
      connect(),
    );
    requireSame(Object.keys(JSON.parse(next!)).sort(), ['id', 'jsonrpc', 'result'], 'the next answer');
  },
  close: closePlace,
});

const openServer = once(async () => {
  const { project, home } = openPlace();
  const context = await openContext({
    cwd: project,
    home,
    env: { SKC_NO_LOG: '1', PATH: process.env.PATH },
    by: 'user',
    now: () => new Date('2026-01-02T03:04:05.000Z'),
    report: () => {},
    note: () => {},
    progress: () => {},
    signal: new AbortController().signal,
  });
  const serving = await openServing(context);
  const server = createServer(serving, { cwd: async () => project, tellsChanges: true });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const waiting = new Map<unknown, (message: JSONRPCMessage) => void>();
  near.onmessage = (message) => {
    const { id: answered } = message as { id?: unknown };
    waiting.get(answered)?.(message);
  };
  await server.mcp.connect(far);
  await near.start();
  const ask = (message: Record<string, unknown>) =>
    new Promise<JSONRPCMessage>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${JSON.stringify(message)}`)), 20_000);
      waiting.set(message.id, (answer) => {
        clearTimeout(timer);
        waiting.delete(message.id);
        resolve(answer);
      });
      void near.send(message as never);
    });
  const told = (message: Record<string, unknown>) => near.send(message as never);
  const clientInfo = { name: 'fuzz', version: '1' };
  await ask({
    jsonrpc: '2.0',
    id: 'open',
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  });
  await told({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return { ask, told, close: () => serving.backend.close() };
});

const toolNames = [...(await loadTools()).keys()].filter(
  (name) => !/run|tools|test|install|update|publish/.test(name),
);
const mcpMethods = [
  'tools/list',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'resources/subscribe',
  'completion/complete',
  'logging/setLevel',
  'ping',
];

let asked = 0;
const mcp = fuzzTarget({
  name: 'mcp',
  inputs: fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        method: fc.constant('tools/call'),
        params: fc.record({ name: fc.constantFrom(...toolNames), arguments: params }),
      }),
    },
    fc.record({ method: fc.oneof(fc.constantFrom(...mcpMethods), words), params }),
  ),
  async check({ method, params: given }: { method: string; params: unknown }) {
    const { ask, told } = await openServer();
    await told({ jsonrpc: '2.0', method: `notifications/${method}`, params: given });
    const isMessage = typeof given === 'object' && given !== null && !Array.isArray(given);
    const answer = await ask({
      jsonrpc: '2.0',
      id: ++asked,
      method,
      ...(isMessage ? { params: given } : {}),
    });
    const said = JSON.stringify(answer);
    if (/E999|internal error/i.test(said) && !/-32601/.test(said)) throw new Error(said.slice(0, 1000));
    const next = await ask({ jsonrpc: '2.0', id: ++asked, method: 'tools/list' });
    requireSame('result' in next, true, 'the next answer');
  },
  async close() {
    await (await openServer()).close();
    await closePlace();
  },
});

export const messageTargets = [rpc, mcp];
