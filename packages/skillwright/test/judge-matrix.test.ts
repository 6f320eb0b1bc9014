// Tries every operation of every front end on a skill in every state, by every name, and checks that nothing leaks. An
// operation without a row fails here. The command line has as many as the others together: judge-commands.test.ts.

import { expect, test } from 'vitest';
import { cliNames } from '../src/front/cli/cli-table.ts';
import { rpcMethods } from '../src/front/commands/session/methods.ts';
import { bindTools } from '../src/host/adapters/bind-tools.ts';
import { sessionTools } from '../src/host/adapters/session-tools.ts';
import { SkillContextProvider } from '../src/host/runtime/skill-context-provider.ts';
import { cliRows } from './judge-cli-rows.ts';
import { testFront } from './judge-fronts.ts';
import { adapterRows, openHost, providerRows, rpcRows, sessionRows } from './judge-host-rows.ts';
import { connectInProcess, protocolCalls, protocolMethods, toolRows } from './judge-mcp-rows.ts';
import { controls, makeJudged } from './judge-world.ts';

test('every operation has a row', async () => {
  const world = await makeJudged(controls['with a quiz and an author']!);
  const missing = (names: readonly string[], table: object) => names.filter((name) => !(name in table));
  expect(missing(cliNames, cliRows)).toEqual([]);
  const { tools } = await (await connectInProcess(world)).listTools();
  expect(
    missing(
      tools.map(({ name }) => name),
      toolRows,
    ),
  ).toEqual([]);
  expect(missing(Object.keys(rpcMethods), rpcRows)).toEqual([]);
  const session = await openHost(world);
  expect(missing(Object.keys(session), sessionRows)).toEqual([]);
  const methods = Object.getOwnPropertyNames(SkillContextProvider.prototype);
  expect(
    missing(
      methods.filter((name) => name !== 'constructor'),
      providerRows,
    ),
  ).toEqual([]);
  const bound = (await bindTools(session)).map(({ name }) => name);
  expect(missing([...bound, ...sessionTools.map(({ name }) => name)], adapterRows)).toEqual([]);
  const asked = protocolCalls(await connectInProcess(world)).map(({ method }) => method);
  expect([...new Set(asked)].sort()).toEqual([...protocolMethods].sort());
});

testFront('the server for agents');
testFront('a session');
testFront('the line protocol');
