// Over MCP and rpc a model may write only to places the user's configuration names.

import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadTools } from '../src/front/mcp/load-tools.ts';
import { loadMethods } from '../src/front/rpc/load-methods.ts';
import { listTree, makeWorld, skillText, type World } from './make-world.ts';
import { connect } from './mcp-client.ts';

test('what each tool may write is pinned, and said in its description', async () => {
  const tools = [...(await loadTools()).values()];
  expect(
    Object.fromEntries(tools.map(({ definition, command }) => [definition.name, command.writes])),
  ).toEqual({
    skc_list: ['cache'],
    skc_find: ['cache'],
    skc_outline: ['cache'],
    skc_search: ['runtime directories', 'cache'],
    skc_show: ['runtime directories', 'cache'],
    skc_open: [],
    skc_sources: [],
    skc_load: [],
    skc_quiz: ['state'],
    skc_scripts: [],
    skc_run: ['granted directories'],
    skc_tools: ['granted directories'],
    skc_lint: ['cache'],
    skc_build: ['runtime directories', 'agent directories'],
    skc_init: ['stores'],
    skc_stats: [],
  });
  for (const { definition, command } of tools)
    expect(definition.description?.includes(`Writes: ${command.writes.join(', ')}`)).toBe(
      command.writes.length > 0,
    );
});

test('what each method of rpc may write is pinned', async () => {
  const methods = Object.fromEntries([...(await loadMethods())].map(([name, { writes }]) => [name, writes]));
  expect(Object.fromEntries(Object.entries(methods).filter(([, writes]) => writes.length > 0))).toEqual({
    'skills.list': ['cache'],
    'skills.search': ['cache'],
    'skills.outline': ['cache'],
    'skills.section': ['cache'],
    'skills.findIn': ['cache'],
    'skills.setEnabled': ['state', 'runtime directories', 'agent directories'],
    'permissions.remember': ['state'],
    'context.prompt': ['cache'],
    'scripts.run': ['granted directories'],
    'tools.activate': ['granted directories'],
    'tools.call': ['granted directories'],
    'hooks.dispatch': ['granted directories'],
  });
});

test("fields that are the user's own are in no schema", async () => {
  const own = [...(await loadTools()).values()].flatMap(({ definition, command }) =>
    Object.keys(command.usersOwn ?? {}).map((field) => [
      `${definition.name}.${field}`,
      field in (definition.inputSchema.properties ?? {}),
    ]),
  );
  expect(Object.fromEntries(own)).toMatchInlineSnapshot(`
    {
      "skc_build.copy": false,
      "skc_build.dry_run": false,
      "skc_build.force": false,
      "skc_build.global": false,
      "skc_build.import": false,
      "skc_build.release": false,
      "skc_build.scope": false,
      "skc_build.stub": false,
      "skc_build.target": false,
      "skc_build.watch": false,
      "skc_build.whole": false,
      "skc_find.domain": false,
      "skc_find.remote": false,
      "skc_find.source": false,
      "skc_init.global": false,
      "skc_init.scope": false,
      "skc_lint.author": false,
      "skc_lint.fix": false,
      "skc_list.check_updates": false,
      "skc_load.author": false,
      "skc_open.author": false,
      "skc_outline.author": false,
      "skc_quiz.reset": false,
      "skc_run.author": false,
      "skc_run.cwd": false,
      "skc_run.grant": false,
      "skc_run.read": false,
      "skc_run.unsandboxed": false,
      "skc_run.write": false,
      "skc_scripts.author": false,
      "skc_scripts.revoke": false,
      "skc_search.author": false,
      "skc_show.author": false,
      "skc_stats.author": false,
      "skc_stats.before": false,
      "skc_stats.dry_run": false,
      "skc_stats.prune": false,
      "skc_tools.author": false,
      "skc_tools.distrust": false,
      "skc_tools.timeout": false,
      "skc_tools.trust": false,
      "skc_tools.unsandboxed": false,
    }
  `);
});

const trap = '.claude/skills/notes';

function makeTrap(): World {
  const world = makeWorld({
    '.skillc/skills/notes/SKILL.md': skillText('notes', '# notes\n\nText.\n'),
    'loose/SKILL.md': skillText('loose', '# loose\n\n* [gone](gone.md)   \n'),
    // A project cannot choose where a model's build goes.
    '.skillc/config.toml': '[build]\ntargets = ["cursor"]\nscope = "project"\n',
    '~/documents/notes/letter.txt': 'mine',
    '~/.claude/skills/other/SKILL.md': 'mine',
  });
  mkdirSync(join(world.root, 'elsewhere'));
  symlinkSync(join(world.root, 'elsewhere'), join(world.project, 'out'));
  return world;
}

/** Inputs that used to write where they say; each is refused before anything happens. */
const refused: readonly [string, Record<string, unknown>][] = [
  ['skc_build', { skills: ['notes'], target: ['~/documents/'] }],
  ['skc_build', { skills: ['notes'], target: ['~/documents/'], force: true }],
  ['skc_build', { skills: ['notes'], force: true }],
  ['skc_build', { skills: ['notes'], import: true }],
  ['skc_build', { skills: ['./loose'], import: true, global: true }],
  ['skc_build', { skills: ['notes'], global: true }],
  ['skc_build', { skills: ['notes'], scope: 'project' }],
  ['skc_build', { skills: ['notes'], copy: true }],
  ['skc_build', { skills: ['notes'], watch: true }],
  ['skc_init', { name: 'fresh', global: true }],
  ['skc_init', { name: 'fresh', scope: 'user' }],
  ['skc_lint', { paths: ['./loose'], fix: true }],
  ['skc_run', { skill: 'notes', script: 'x', unsandboxed: true }],
  ['skc_run', { skill: 'notes', script: 'x', grant: ['network'] }],
  ['skc_tools', { skill: 'notes', trust: true }],
  ['skc_stats', { skill: 'notes', prune: true, before: '2030-01-01' }],
  ['skc_quiz', { skill: 'notes', reset: true }],
  ['skc_scripts', { skill: 'notes', revoke: true }],
  ['skc_open', { skill: 'notes', path: 'SKILL.md', author: true }],
];

test("an input that sets what is the user's own is E018, and nothing at all is written", async () => {
  const world = makeTrap();
  const before = world.list();
  const { client } = await connect({ cwd: world.project, home: world.home });
  const codes: unknown[] = [];
  for (const [name, args] of refused) {
    const { isError, structuredContent } = await client.callTool({ name, arguments: args });
    codes.push([isError, (structuredContent as { error?: { code: string } }).error?.code]);
  }
  expect(codes).toEqual(refused.map(() => [true, 'E018']));
  expect(world.list()).toEqual(before);
});

test("everything that tools do write lies in skc's own places, and in the agents' directories of the user", async () => {
  const world = makeTrap();
  const before = world.list();
  const { client } = await connect({ cwd: world.project, home: world.home });
  const calls: [string, Record<string, unknown>][] = [
    ['skc_list', {}],
    ['skc_find', { query: 'text' }],
    ['skc_outline', { skill: 'notes' }],
    ['skc_show', { skill: 'notes', section: ['notes'] }],
    ['skc_search', { skill: 'notes', query: 'text' }],
    ['skc_open', { skill: 'notes', path: 'SKILL.md' }],
    ['skc_open', { skill: 'notes', path: '../../../loose/SKILL.md' }],
    ['skc_sources', { skill: 'notes' }],
    ['skc_load', { name: 'notes' }],
    ['skc_scripts', { skill: 'notes' }],
    ['skc_lint', { paths: ['loose', 'out', '/'] }],
    ['skc_stats', { skill: 'notes' }],
    ['skc_build', { skills: ['notes', '/etc', '../elsewhere'] }],
    ['skc_init', { name: 'fresh' }],
    ['skc_init', { name: '../../fresh' }],
  ];
  for (const [name, args] of calls) await client.callTool({ name, arguments: args });
  const own = /^(?:home|project)\/\.skillc(?:\/(?:made|cache|runtime|skills\/fresh|\.gitignore)(?:\/|$)|$)/;
  const written = Object.entries(listTree(world.root)).filter(([path, text]) => before[path] !== text);
  expect(written.map(([path]) => path).filter((path) => !own.test(path))).toEqual([`home/${trap}`]);
  expect(world.list(world.root)[`home/${trap}`]).toBe(`-> ${join(world.project, '.skillc/skills/notes')}`);
  expect(Object.keys(before).filter((path) => !(path in listTree(world.root)))).toEqual([]);
});

test("a model makes no skill in the user's store from the home directory", async () => {
  const world = makeWorld();
  const { client } = await connect({ cwd: world.home, home: world.home });
  const { structuredContent } = await client.callTool({ name: 'skc_init', arguments: { name: 'fresh' } });
  expect(structuredContent).toMatchObject({ error: { code: 'E018' } });
  expect(Object.keys(world.list(world.home)).filter((path) => path.includes('fresh'))).toEqual([]);
});
