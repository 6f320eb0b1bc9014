// Asks every operation of a front end about a skill in every state, by every name, and checks that nothing leaks. See
// judge-matrix.test.ts.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerLine } from '../src/front/rpc/answer-message.ts';
import { createConnection } from '../src/front/rpc/create-connection.ts';
import { bindTools } from '../src/host/adapters/bind-tools.ts';
import { type CliRow, cliRows } from './judge-cli-rows.ts';
import {
  adapterRows,
  type HostCall,
  type HostRow,
  openHost,
  providerRows,
  rpcRows,
  sessionRows,
} from './judge-host-rows.ts';
import { type Answer, leaksOf, marksIn, settle, textOf, unrefused } from './judge-leaks.ts';
import { connectInProcess, protocolCalls, silentMethods, toolRows } from './judge-mcp-rows.ts';
import { controls, type JudgedWorld, makeJudged, type State, states, type Target } from './judge-world.ts';

type Note = (answer: Answer) => void;

/** What a model received from a command. */
const SENT = 'sent to a model';

/** Runs the rows of one front end. */
type Front = (world: JudgedWorld, note: Note) => Promise<void>;

const isRow = <Row extends object>(entry: [string, Row | string]): entry is [string, Row] =>
  typeof entry[1] !== 'string';
const rowsOf = <Row extends object>(table: Readonly<Record<string, Row | string>>) =>
  Object.entries(table).filter(isRow<Row>);

/** All calls in the ways that differ most; elsewhere one is enough, because a word is read once for all of them. */
function callsFor<Call>(
  target: Target,
  named: ((target: Target) => readonly Call[]) | undefined,
): readonly Call[] {
  const calls = named?.(target) ?? [];
  const isWhole = target.way === 'name' || target.way === 'relative path' || target.inside !== '';
  return isWhole ? calls : calls.slice(0, 1);
}

const askCommands: Front = async (world, note) => {
  for (const [operation, { kind, packs, named, everything = [], sending = [] }] of rowsOf<CliRow>(cliRows)) {
    const ask = async (words: readonly string[], target?: Target) => {
      const { stdout, stderr } = await world.run(words, { env: { PATH: process.env.PATH! } });
      const said = stdout + stderr;
      note({
        front: 'skc',
        operation,
        kind,
        by: 'user',
        asked: words.join(' '),
        target,
        said,
        packs,
        refuses: true,
      });
    };
    for (const words of sending) {
      await ask(words);
      const file = join(world.project, 'sent.json');
      const { trials } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { trials: [] };
      const asked = words.join(' ');
      const said = JSON.stringify(trials);
      note({ front: 'skc', operation: SENT, kind: 'read', by: 'model', asked, said, refuses: false });
    }
    for (const words of everything) for (const form of [[], ['--json']]) await ask([...words, ...form]);
    for (const target of world.targets)
      for (const words of callsFor(target, named)) {
        const isFormatted = words.includes('--format');
        if (target.way === 'name' || isFormatted) await ask(words, target);
        if (!isFormatted) await ask([...words, '--json'], target);
      }
  }
};

const askServer: Front = async (world, note) => {
  const client = await connectInProcess(world);
  const shared = { front: 'mcp', kind: 'read', by: 'model', refuses: true } as const;
  for (const [operation, { named, everything = [] }] of rowsOf(toolRows)) {
    const ask = async (input: Record<string, unknown>, target?: Target) => {
      const said = textOf(await settle(() => client.callTool({ name: operation, arguments: input })));
      note({ ...shared, operation, asked: input, target, said });
    };
    for (const input of everything) await ask(input);
    for (const target of world.targets) for (const input of callsFor(target, named)) await ask(input, target);
  }
  for (const { method, asked, ask } of protocolCalls(client))
    note({ ...shared, operation: method, asked, said: textOf(await settle(ask)) });
};

const askHost: Front = async (world, note) => {
  const session = await openHost(world);
  await askMethods('session', sessionRows, { world, note, open: () => openHost(world) });
  await askMethods('provider', providerRows, { world, note, open: () => session.provider() });
  for (const tool of await bindTools(session)) {
    const row = adapterRows[tool.name];
    if (row === undefined || typeof row === 'string') continue;
    const ask = async (input: Record<string, unknown>, target?: Target) => {
      const said = String(await settle(() => tool.run(input)));
      note({
        front: 'adapter',
        operation: tool.name,
        kind: 'read',
        by: 'model',
        asked: input,
        refuses: true,
        target,
        said: `${said}\n${tool.description}`,
      });
    };
    for (const input of row.everything ?? []) await ask(input);
    for (const target of world.targets)
      for (const input of row.named?.(target) ?? []) await ask(input, target);
  }
};

/** Each row has a subject of its own: what one confirms must not open anything to the next. */
async function askMethods<Subject>(
  front: string,
  rows: Readonly<Record<string, HostRow<Subject> | string>>,
  { world, note, open }: { world: JudgedWorld; note: Note; open: () => Promise<Subject> },
): Promise<void> {
  for (const [operation, { by = 'model', refuses = true, named, everything }] of rowsOf<HostRow<Subject>>(
    rows,
  )) {
    const subject = await open();
    const ask = async (how: HostCall, target?: Target) => {
      const [says, call] = typeof how === 'function' ? ['', how] : how;
      const asked = target === undefined ? '' : `${target.word} ${target.inside}${says}`;
      const said = textOf(await settle(call));
      note({ front, operation, kind: 'read', by, asked, target, said, refuses });
    };
    for (const call of everything?.(subject) ?? []) await ask(call);
    for (const target of world.targets)
      for (const call of named?.(subject, target) ?? []) await ask(call, target);
  }
}

const askProtocol: Front = async (world, note) => {
  for (const [operation, { by = 'model', refuses = true, named, everything = [] }] of rowsOf(rpcRows)) {
    const env = { PATH: process.env.PATH };
    const connection = createConnection({ cwd: world.project, home: world.home, env });
    connection.open({ trust: true });
    const ask = async (params: Record<string, unknown>, target?: Target) => {
      const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: operation, params });
      const said = textOf(JSON.parse((await answerLine(Buffer.from(line), connection))!));
      note({ front: 'rpc', operation, kind: 'read', by, asked: params, target, said, refuses });
    };
    for (const params of everything) await ask(params);
    for (const target of world.targets) for (const params of named?.(target) ?? []) await ask(params, target);
  }
};

const fronts = {
  'the command line': askCommands,
  'the server for agents': askServer,
  'a session': askHost,
  'the line protocol': askProtocol,
} satisfies Record<string, Front>;

/** Everything a front end says about a skill in this state. */
async function answersOf(front: Front, state: State): Promise<Answer[]> {
  const answers: Answer[] = [];
  await front(await makeJudged(state), (answer) => answers.push(answer));
  return answers;
}

const tables = { ...cliRows, ...toolRows, ...sessionRows, ...providerRows, ...adapterRows, ...rpcRows };
const isSilent = (operation: string) => {
  // There is nothing to send where nothing is inside another skill.
  if (operation === SENT) return true;
  const row = tables[operation];
  return silentMethods.includes(operation) || (typeof row === 'object' && row.silent !== undefined);
};

/** Operations that reach a skill through the one around it. */
const through: Readonly<Record<keyof typeof fronts, readonly string[]>> = {
  'the command line': [
    'outline',
    'show',
    'search',
    'open',
    'sources',
    'scan',
    'report',
    'ci',
    'stats',
    'load',
    'publish',
  ],
  'the server for agents': [
    'skc_outline',
    'skc_search',
    'skc_show',
    'skc_open',
    'skc_sources',
    'skc_load',
    'skc_stats',
  ],
  'a session': [
    'load',
    'readResource',
    'listResources',
    'outline',
    'section',
    'findIn',
    'plan',
    'plan by the user',
    'getTier3Resource',
    'skill_load',
    'skill_read',
    'skill_outline',
    'skill_section',
    'skill_find_in',
  ],
  'the line protocol': [
    'skills.load',
    'skills.read',
    'skills.resources',
    'skills.outline',
    'skills.section',
    'skills.findIn',
    'skills.plan',
  ],
};

/** Asks one front end about a skill in every state. */
export function testFront(name: keyof typeof fronts): void {
  const front = fronts[name];

  test(`${name} gives what may be given`, async () => {
    const answers = await answersOf(front, controls.free!);
    const byOperation = Map.groupBy(answers, ({ operation }) => operation);
    const mute = [...byOperation].filter(
      ([operation, all]) => !isSilent(operation) && all.every((answer) => marksIn(answer).length === 0),
    );
    expect(mute.map(([operation]) => operation)).toEqual([]);
  });

  test(`${name} reaches into a skill inside another`, async () => {
    const answers = await answersOf(front, controls['nested, free']!);
    const reached = answers.filter((answer) => answer.target?.inside && marksIn(answer).length > 0);
    expect([...new Set(reached.map(({ operation }) => operation))]).toEqual(through[name]);
    const read = answers.filter(({ asked }) => JSON.stringify(asked).includes('own.sh'));
    const sent = answers.filter(({ operation }) => operation === SENT);
    // Scripts and evals of the outer skill reach it too; a test of them would otherwise prove nothing.
    for (const answer of [...read, ...sent]) expect(marksIn(answer)).toContain('fileText');
  });

  test.each(Object.entries(states))(`${name} keeps quiet about a skill: %s`, async (_, state) => {
    const answers = await answersOf(front, state);
    expect(answers.flatMap((answer) => leaksOf(answer, state))).toEqual([]);
    expect(answers.flatMap((answer) => unrefused(answer, state))).toEqual([]);
  });
}
