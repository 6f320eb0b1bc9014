import { sep } from 'node:path';
import { expect, test } from 'vitest';
import { agents, marksOf } from './agents.ts';
import { resolveTargets, userDirectory } from './resolve-targets.ts';

const context = { cwd: '/p', home: '/h', env: {} };
/** Without the drive and the separators of Windows. */
const spelled = (path: string) => path.replace(/^[A-Z]:/, '').replaceAll(sep, '/');
const user = (id: string, env: Record<string, string> = {}) =>
  resolveTargets([id], { ...context, env }).map(({ dir }) => spelled(dir));
const project = (id: string) => resolveTargets([id], context, '/p').map(({ dir }) => spelled(dir));

/** The names other installers use, with the directories they install to. */
const rows: readonly (readonly [id: string, project: string, user: string | undefined])[] = [
  ['universal', '.agents/skills', '.config/agents/skills'],
  ['amp', '.agents/skills', '.config/agents/skills'],
  ['replit', '.agents/skills', '.config/agents/skills'],
  ...['cline', 'dexto', 'kimi-code-cli', 'loaf', 'sarvam-code', 'warp', 'zed'].map(
    (id) => [id, '.agents/skills', '.agents/skills'] as const,
  ),
  ['codex', '.agents/skills', '.codex/skills'],
  ['cursor', '.agents/skills', '.cursor/skills'],
  ['gemini-cli', '.agents/skills', '.gemini/skills'],
  ['github-copilot', '.agents/skills', '.copilot/skills'],
  ['opencode', '.agents/skills', '.config/opencode/skills'],
  ['antigravity', '.agents/skills', '.gemini/antigravity/skills'],
  ['antigravity-cli', '.agents/skills', '.gemini/antigravity-cli/skills'],
  ['deepagents', '.agents/skills', '.deepagents/agent/skills'],
  ['droid', '.agents/skills', '.factory/skills'],
  ['firebender', '.agents/skills', '.firebender/skills'],
  ['kilo', '.agents/skills', '.kilo/skills'],
  ['promptscript', '.agents/skills', undefined],
  ['claude-code', '.claude/skills', '.claude/skills'],
  ['openclaw', 'skills', '.openclaw/skills'],
  ['eve', 'agent/skills', undefined],
  ['astrbot', 'data/skills', '.astrbot/data/skills'],
  ['cortex', '.cortex/skills', '.snowflake/cortex/skills'],
  ['crush', '.crush/skills', '.config/crush/skills'],
  ['devin', '.devin/skills', '.config/devin/skills'],
  ['goose', '.goose/skills', '.config/goose/skills'],
  ['kimchi', '.kimchi/skills', '.config/kimchi/harness/skills'],
  ['pi', '.pi/skills', '.pi/agent/skills'],
  ['tabnine-cli', '.tabnine/agent/skills', '.tabnine/agent/skills'],
  ['posit-assistant', '.posit/assistant/skills', '.posit/assistant/skills'],
  ['windsurf', '.windsurf/skills', '.codeium/windsurf/skills'],
  ['qoder', '.qoder/skills', '.qoder/skills'],
  ['qoder-cn', '.qoder/skills', '.qoder-cn/skills'],
  ['trae', '.trae/skills', '.trae/skills'],
  ['trae-cn', '.trae/skills', '.trae-cn/skills'],
  ['zencoder', '.zencoder/skills', '.zencoder/skills'],
  ['zenflow', '.zencoder/skills', '.zencoder/skills'],
  ...Object.entries({
    adal: '.adal',
    'aider-desk': '.aider-desk',
    augment: '.augment',
    'autohand-code': '.autohand',
    bob: '.bob',
    'codearts-agent': '.codeartsdoer',
    codebuddy: '.codebuddy',
    codemaker: '.codemaker',
    codestudio: '.codestudio',
    codewhale: '.codewhale',
    'command-code': '.commandcode',
    continue: '.continue',
    forgecode: '.forge',
    fx: '.fx',
    grok: '.grok',
    'hermes-agent': '.hermes',
    'iflow-cli': '.iflow',
    'inference-sh': '.inferencesh',
    jazz: '.jazz',
    junie: '.junie',
    'kiro-cli': '.kiro',
    kode: '.kode',
    lingma: '.lingma',
    mcpjam: '.mcpjam',
    'minimax-code': '.minimax',
    'mistral-vibe': '.vibe',
    moxby: '.moxby',
    mux: '.mux',
    neovate: '.neovate',
    ona: '.ona',
    openhands: '.openhands',
    pochi: '.pochi',
    'qwen-code': '.qwen',
    reasonix: '.reasonix',
    roo: '.roo',
    rovodev: '.rovodev',
    terramind: '.terramind',
    tinycloud: '.tinycloud',
    zcode: '.zcode',
  }).map(([id, directory]) => [id, `${directory}/skills`, `${directory}/skills`] as const),
];

/** Those that keep skills elsewhere on Windows. */
const onWindows: Readonly<Record<string, string>> = {
  crush: 'AppData/Local/crush/skills',
  goose: 'AppData/Roaming/Block/goose/config/skills',
};

test.each(rows)('%s', (id, inProject, ofUser) => {
  expect(project(id)).toEqual([`/p/${inProject}`]);
  const own = (process.platform === 'win32' && onWindows[id]) || ofUser;
  if (own !== undefined) expect(user(id)).toEqual([`/h/${own}`]);
  else expect(() => user(id)).toThrow(`${id} only reads project skills`);
});

test('some have another place on Windows, whatever variables say', () => {
  const env = { XDG_CONFIG_HOME: '/x' };
  const moved = agents.flatMap((agent) => {
    const { windows: _, ...plain } = agent;
    const [here, there] = [agent, plain].map((one) => userDirectory(one, { home: '/h', env }, 'win32'));
    return here === there ? [] : [[agent.id, spelled(here!)]];
  });
  expect(moved).toEqual(Object.entries(onWindows).map(([id, place]) => [id, `/h/${place}`]));
});

test('every agent has a row, and names are unique', () => {
  const names = agents.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
  const told = new Set(rows.map(([id]) => id));
  expect(
    agents
      .filter(({ id, aliases = [] }) => ![id, ...aliases].some((name) => told.has(name)))
      .map(({ id }) => id),
  ).toEqual(['agents']);
});

test.each([
  ['claude', 'CLAUDE_CONFIG_DIR', '/x/skills'],
  ['codex', 'CODEX_HOME', '/x/skills'],
  ['codewhale', 'CODEWHALE_HOME', '/x/skills'],
  ['mistral-vibe', 'VIBE_HOME', '/x/skills'],
  ['hermes', 'HERMES_HOME', '/x/skills'],
  ['autohand', 'AUTOHAND_HOME', '/x/skills'],
  ['grok', 'GROK_HOME', '/x/skills'],
  ['devin', 'XDG_CONFIG_HOME', '/x/devin/skills'],
  ['kimchi', 'XDG_CONFIG_HOME', '/x/kimchi/harness/skills'],
])('%s obeys %s', (id, variable, dir) => {
  expect(user(id, { [variable]: '/x' })).toEqual([dir]);
  expect(user(id, { [variable]: 'relative' })).toEqual(user(id));
});

test('an agent is recognised only by its own directories', () => {
  const marks = Object.fromEntries(agents.map((agent) => [agent.id, marksOf(agent)]));
  expect(marks.claude).toEqual(['.claude']);
  expect(marks.windsurf).toEqual(['.windsurf', '.codeium/windsurf']);
  expect(marks.openclaw).toEqual(['.openclaw']);
  expect(marks.astrbot).toEqual(['.astrbot/data']);
  expect(marks.eve).toEqual([]);
  const owners = new Map<string, string[]>();
  for (const [id, own] of Object.entries(marks))
    for (const mark of own) owners.set(mark, [...(owners.get(mark) ?? []), id]);
  expect([...owners].filter(([, ids]) => ids.length > 1)).toEqual([]);
});
