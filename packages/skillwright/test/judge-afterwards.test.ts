// What a skill leaves behind when its state changes: in sessions that have used it, in servers that live on, in the stub of
// the skill around it, beside another skill of its name.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bindTools } from '../src/host/adapters/bind-tools.ts';
import { openHost } from './judge-host-rows.ts';
import { settle, textOf } from './judge-leaks.ts';
import { connectInProcess } from './judge-mcp-rows.ts';
import { controls, enter, kept, makeJudged, marks, type State, states } from './judge-world.ts';
import { skillText } from './make-world.ts';
import { requireProgram } from './required-program.ts';

beforeEach((context) => requireProgram(context, 'bwrap'));

const told = (text: string, state: State) =>
  kept[state.model].filter((mark) => text.includes(marks[mark])).map((mark) => marks[mark]);

const hidden = ['denied by name', 'off by directory', 'kept from models'] as const;

describe.each(hidden)('a skill that was loaded, then is %s', (name) => {
  const state = states[name]!;

  test('is gone from a session', async () => {
    const world = await makeJudged(controls.free!);
    const session = await openHost(world);
    const reference = { name: 'written-name' };
    expect((await session.load(reference)).status).toBe('loaded');
    const [saved, provider] = [await session.save(), await session.provider()];
    enter(world, state, world.place);
    await session.catalog({ reload: true });
    const said = [
      await settle(() => session.load(reference)),
      await settle(() => session.load({ path: world.place })),
      await settle(() => session.listResources(reference)),
      (await session.prompt()).text,
      await session.search({ query: 'zorilla' }),
      await session.triggers('zorilla written-name'),
      await settle(() => session.resume(saved)),
      // A skill only the user may use, and the user has loaded, stays in use.
      name === 'kept from models' ? '' : session.compacted().text,
      (await bindTools(session)).map(({ description }) => description),
      await (await session.provider()).getTier2Context('written-name'),
      // One that was made before goes by the text of now.
      name === 'kept from models' ? await provider.getTier2Context('written-name') : '',
    ].map(textOf);
    expect(said.flatMap((text) => told(text, state))).toEqual([]);
    expect(said[7]).toBe('""');
  });

  test('is gone from a server', async () => {
    const world = await makeJudged(controls.free!);
    const client = await connectInProcess(world);
    const ask = async (tool: string, input: Record<string, unknown>) =>
      textOf(await settle(() => client.callTool({ name: tool, arguments: input })));
    const all = async () => [
      await ask('skc_load', { name: 'written-name' }),
      await ask('skc_outline', { skill: 'written-name' }),
      await ask('skc_search', { skill: 'written-name', query: ['zorilla'] }),
      await ask('skc_find', { query: ['zorilla'] }),
      textOf(await client.listPrompts()),
      textOf(await client.listResources()),
    ];
    for (const text of await all()) expect(text).toContain('qx');
    enter(world, state, world.place);
    for (const text of await all()) expect(told(text, state)).toEqual([]);
  });
});

const nested = Object.entries(states).filter(([name]) => name.startsWith('nested'));

test.each(nested)('the stub of the skill around it says nothing of a skill: %s', async (_name, state) => {
  const world = await makeJudged(state);
  expect((await world.run(['build', 'outer', '--target', 'none'])).status).toBe(0);
  const runtime = join(world.project, '.skillc/runtime/outer');
  const files = readdirSync(runtime, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !/\.db(-\w+)?$/.test(entry.name),
  );
  const text = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n');
  expect(text).toContain('outer');
  expect(told(text, { ...state, model: 'what the quiz closes' })).toEqual([]);
});

const keptByDirectory = ['denied by directory', 'off by directory', 'kept from models'] as const;

test.each(keptByDirectory)(
  'next to another skill of its name, one that is %s is not a candidate',
  async (name) => {
    const world = await makeJudged(states[name]!);
    world.write({ '.agents/skills/twin/SKILL.md': skillText('written-name', '# Twin\n\nOf twins.\n') });
    const client = await connectInProcess(world);
    const session = await openHost(world);
    for (const word of ['written-name', 'twin', 'Written-Name']) {
      const answers = [
        await client.callTool({ name: 'skc_outline', arguments: { skill: word } }),
        await client.callTool({ name: 'skc_load', arguments: { name: word } }),
        await session.load({ name: word }, { force: true }),
      ].map(textOf);
      for (const text of answers) {
        expect(text).toMatch(/# Twin|"Twin"|twin\/SKILL\.md/);
        expect(text).not.toMatch(/folder-name|qx/);
      }
    }
  },
);

test.each(['denied by name', 'off by directory'])(
  'tools of a skill that is %s now are gone',
  async (name) => {
    const world = await makeJudged(controls.free!);
    const toolset =
      "export const T = { tools: { go: { description: 'Does qxbody.', run() { return 'qxcode'; } } } };";
    world.write({ [`${world.place}/a.js`]: toolset });
    enter(world, { model: 'nothing', user: 'nothing', fields: 'toolsets: ["a:T"]\n' }, world.place);
    const session = await openHost(world, { trustsSkill: () => true });
    onTestFinished(() => session.close());
    await session.activate({ name: 'written-name' });
    const bound = (await bindTools(session)).at(-1)!;
    expect(await bound.run({})).toBe('qxcode');
    enter(world, states[name]!, world.place);
    await session.catalog({ reload: true });
    expect(session.tools()).toEqual([]);
    expect(textOf(await bindTools(session))).not.toContain('qx');
    expect(await bound.run({})).not.toContain('qx');
  },
);

test('a tool does not run while the quiz of its skill is not passed', async () => {
  const world = await makeJudged(controls.free!);
  const toolset = "export const T = { tools: { go: { description: 'Goes.', run() { return 'qxcode'; } } } };";
  world.write({ [`${world.place}/a.js`]: toolset });
  enter(world, { model: 'nothing', user: 'nothing', fields: 'toolsets: ["a:T"]\n' }, world.place);
  const session = await openHost(world, { trustsSkill: () => true });
  onTestFinished(() => session.close());
  await session.activate({ name: 'written-name' });
  const bound = (await bindTools(session)).at(-1)!;
  expect(await bound.run({})).toBe('qxcode');
  enter(world, states['behind a quiz']!, world.place);
  expect(await bound.run({})).toMatch(/^error\[E062\]/);
});
