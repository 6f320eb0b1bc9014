// The protocol's public conformance suite against `skc mcp --http`, and against the same server with fixture commands.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { SkillwrightError } from '../src/base/diagnostics/index.ts';
import { type AnyCommand, type CommandName, openContext } from '../src/front/commands/index.ts';
import { createAskedStates } from '../src/front/mcp/ask-person.ts';
import { describeTool, type ServedTool } from '../src/front/mcp/load-tools.ts';
import { createLocalBackend } from '../src/front/mcp/local-backend.ts';
import { serveOverHttp } from '../src/front/mcp/serve-http.ts';
import { openServerState } from '../src/front/mcp/server-state.ts';
import { conformanceTable, FIXTURES, PRODUCT } from './conformance-table.ts';
import { makeDirectory } from './make-directory.ts';
import { makePlace, startHttp } from './mcp-client.ts';

const root = new URL('../../../', import.meta.url);
const require = createRequire(import.meta.url);
const manifest = require.resolve('@modelcontextprotocol/conformance/package.json');
const suite = join(dirname(manifest), 'dist/index.js');

/** Runs every scenario against a server; true for those with a check that passed and none that failed. */
async function runSuite(url: URL): Promise<Map<string, boolean>> {
  const results = makeDirectory({});
  const words = ['server', '--url', url.href, '--suite', 'all', '-o', results];
  const child = spawn(process.execPath, [suite, ...words], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('close', resolve));
  const outcomes = readdirSync(results).map((directory): [string, boolean] => {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT.*$/.exec(directory)![1]!;
    const checks: { status: string }[] = JSON.parse(
      readFileSync(`${results}/${directory}/checks.json`, 'utf8'),
    );
    const count = (status: string) => checks.filter((check) => check.status === status).length;
    return [scenario, count('SUCCESS') > 0 && count('FAILURE') === 0];
  });
  return new Map(outcomes);
}

const prompt = (name: string, more: string, body: string) => ({
  [`.skillc/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: A fixture.\n${more}---\n\n${body}\n`,
});
const files = {
  ...prompt('test_simple_prompt', '', 'This is a simple prompt.'),
  ...prompt('test_prompt_with_arguments', 'arguments: [arg1, arg2]\n', 'With $arg1 and $arg2.'),
  ...prompt('asked', '', 'Only after a confirmation.'),
  '~/.skillc/config.toml': '[[permissions.confirm]]\ntool = "skill_load"\nskill_name = "asked"\n',
};

const shared = {
  input: z.looseObject({}),
  fields: {},
  positionals: [],
  output: z.object({ text: z.string() }),
  effect: 'read',
  writes: [],
  touches: 'nothing',
  text: ({ text }: { text: string }) => text,
} as const;

/** A command as the front ends see it. */
const asTool = (command: AnyCommand) => command;

/** Commands with the names that the suite calls. They run as every command of skc does. */
const fixtures = {
  test_simple_text: asTool({ ...shared, run: () => ({ text: 'A simple text.' }) }),
  test_error_handling: asTool({
    ...shared,
    run() {
      throw SkillwrightError.of('E100', { why: 'it always fails' });
    },
  }),
  test_tool_with_logging: asTool({
    ...shared,
    run(_input, context) {
      for (const step of ['started', 'processing', 'completed']) context.note(step);
      return { text: 'Logged.' };
    },
  }),
  test_tool_with_progress: asTool({
    ...shared,
    run(_input, context) {
      for (const step of [1, 2, 3]) context.progress(`step ${step} of 3`);
      return { text: 'Done.' };
    },
  }),
  test_elicitation: asTool({
    ...shared,
    async run(_input, { access }) {
      await access.open('asked', { operation: 'read' });
      return { text: 'Confirmed.' };
    },
  }),
};

/** Serves the fixture commands from this process, with the server that `skc mcp --http` starts. */
async function serveFixtures(): Promise<URL> {
  const { cwd, home } = makePlace(files);
  const ended = new AbortController();
  const context = await openContext({
    cwd,
    home,
    env: { SKC_NO_LOG: '1' },
    by: 'user',
    now: () => new Date('2026-01-02T03:04:05.000Z'),
    report: () => {},
    note: () => {},
    progress: () => {},
    signal: ended.signal,
  });
  const tools = new Map(
    Object.entries(fixtures).map(([name, command]): [string, ServedTool] => {
      const described = describeTool(command, { rest: 'ask for less' }, { name, summary: 'A fixture' });
      return [name, { ...described, commandName: name as CommandName }];
    }),
  );
  const backend = createLocalBackend({ ...(await openServerState(context)), tools });
  const { promise, resolve } = Promise.withResolvers<URL>();
  const note = (text: string) => {
    const [address] = /http:\S+/.exec(text) ?? [];
    if (address !== undefined) resolve(new URL(address));
  };
  const serving = { tools, backend, states: createAskedStates(), note };
  const served = serveOverHttp(serving, { port: 0, cwd, signal: ended.signal, now: () => new Date() });
  onTestFinished(async () => {
    ended.abort();
    await served;
  });
  return promise;
}

test('every scenario that can apply passes, and the others have a reason', async () => {
  const product = await runSuite((await startHttp(makePlace(files))).url);
  const withFixtures = await runSuite(await serveFixtures());
  const outcomes = [...product].map(([scenario, passes]) => {
    const how = passes ? PRODUCT : withFixtures.get(scenario) ? FIXTURES : 'does not pass';
    return [scenario, how];
  });
  const expected = Object.entries(conformanceTable).map(([scenario, how]) => [
    scenario,
    how === PRODUCT || how === FIXTURES ? how : 'does not pass',
  ]);
  expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(expected));
});

test('the guide has the table', () => {
  const guide = readFileSync(new URL('docs/guide/mcp.md', root), 'utf8');
  const rows = Object.entries(conformanceTable).map(([scenario, how]) => `| \`${scenario}\` | ${how} |`);
  expect(guide).toContain(`| scenario | outcome |\n|---|---|\n${rows.join('\n')}\n`);
});
