// Every variable works under its name and under the name of earlier versions, and the page names them all.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ownVariables } from '../src/base/variables.ts';
import { createClient, createContext } from '../src/front/commands/create-client.ts';
import { runIdOf } from '../src/read/usage/write-access.ts';
import { ciSystemOf } from '../src/ship/network/ci-identity.ts';
import { registryToken } from '../src/ship/network/open-registry.ts';
import { userDirectory } from '../src/skill/agents/resolve-targets.ts';
import { configKeys } from '../src/skill/config/config-schema.ts';
import { loadConfig, variableOf } from '../src/skill/config/load-config.ts';
import type { QuizView } from '../src/skill/quiz/quiz-view.ts';
import { findProject } from '../src/skill/workspace/project.ts';
import { openWorkspace } from '../src/skill/workspace/workspace.ts';
import { builtSkc, runProcess } from './built-package.ts';
import { makeDirectory } from './make-directory.ts';
import { makeWorld, skillText, type World } from './make-world.ts';
import { makePlace } from './mcp-client.ts';
import { startRpc } from './rpc-client.ts';
import { skc } from './run-in-process.ts';

const source = fileURLToPath(new URL('../src/', import.meta.url));
const page = readFileSync(new URL('../../../docs/environment.md', import.meta.url), 'utf8');
const prefixes = ['SKC_', 'SKILLC_'] as const;

const logKey = `registry.example+1234abcd+${'A'.repeat(44)}`;

/** A value that a configuration key takes, and is not its default. */
const samples: Readonly<Record<string, string>> = {
  'search.tokenizer': 'unicode',
  'network.allow_private': '10.0.0.1',
  'build.targets': 'cursor',
  'build.scope': 'project',
  'build.deploy': 'whole',
  'lint.profile': 'strict',
  'lint.rules': '{ SKL103 = "off" }',
  'permissions.allow': '[{ tool = "a" }]',
  'permissions.deny': '[{ tool = "a" }]',
  'permissions.confirm': '[{ tool = "a" }]',
  'usage.enabled': 'false',
  'skills.enabled': 'false',
  'gateway.auto_build': 'true',
  'scripts.unsandboxed': 'true',
  'registry.key': logKey,
  'registry.owner': 'acme',
  'registry.witnesses': `["${logKey}"]`,
  'registry.quorum': '7',
  'report.licences': '{ allow = ["MIT"] }',
  'registries.<owner>.url': 'https://a.example',
  'registries.<owner>.key': logKey,
  'models.<name>.kind': 'openai',
  'models.<name>.url': 'https://a.example',
  'models.<name>.key_variable': 'MY_KEY',
  'models.<name>.variables': '["MY_KEY"]',
  'models.<name>.max_tokens': '7',
  'models.<name>.temperature': '0.5',
  'models.<name>.timeout': '7',
  'models.<name>.input_price': '0.5',
  'models.<name>.output_price': '0.5',
};

describe.each(prefixes)('with the prefix %s', (prefix) => {
  test.each(configKeys().map(({ key }) => key))('%s', (key) => {
    const fallback = loadConfig({ user: '/nowhere', project: undefined, env: {} }).values;
    const [section, field] = key.replace(/<\w+>/, 'acme').split('.') as [string, string];
    const pick = (config: object) => (config as Record<string, Record<string, unknown>>)[section]![field];
    const number = typeof pick(fallback) === 'number' ? '7' : undefined;
    const text =
      samples[key] ?? number ?? (section === 'network' || section === 'registry' ? 'https://a.example' : 'a');
    const variable = variableOf(key.replace(/<\w+>/, 'acme')).replace('SKC_', prefix);
    const loaded = loadConfig({ user: '/nowhere', project: undefined, env: { [variable]: text } });
    expect(pick(loaded.values)).not.toEqual(pick(fallback));
    expect(loaded.layers.map(({ origin }) => origin)).toEqual([{ layer: 'environment', place: variable }]);
  });

  /** A test for each variable that is not of a configuration key. */
  const cases: Record<keyof typeof ownVariables, () => void | Promise<void>> = {
    HOME: () => {
      const home = makeDirectory();
      expect(createContext({ env: { [`${prefix}HOME`]: home } }).home).toBe(home);
      const env = { [`${prefix}HOME`]: home, CLAUDE_CONFIG_DIR: '/elsewhere' };
      const claude = { id: 'claude', user: '.claude/skills', variable: 'CLAUDE_CONFIG_DIR' };
      expect(userDirectory(claude as never, { home, env })).toBe(join(home, '.claude/skills'));
      const clear = ['-u', 'SKC_HOME', `${prefix}HOME=${home}`];
      const { stdout } = runProcess('env', [...clear, builtSkc, 'agents', '--json']);
      expect(stdout).toContain(join(home, '.claude/skills'));
    },
    AGENTS_ROOT: () => {
      const dir = makeDirectory();
      const env = { [`${prefix}AGENTS_ROOT`]: dir };
      expect(findProject({ cwd: '/', home: '/home', env })).toEqual({ dir, mark: 'SKC_AGENTS_ROOT' });
    },
    TOKEN: async () => {
      const url = 'https://registry.example/';
      const env = { [`${prefix}TOKEN`]: 'x', SKC_REGISTRY_URL: url };
      const workspace = await openWorkspace({ cwd: makeDirectory(), home: makeDirectory(), env });
      expect(await registryToken(url, workspace)).toMatchObject({ token: 'x' });
      const odd = await openWorkspace({
        cwd: workspace.cwd,
        home: workspace.home,
        env: { [`${prefix}TOKEN`]: 'a b' },
      });
      await expect(registryToken(url, odd)).rejects.toThrow(`${prefix}TOKEN`);
    },
    ID_TOKEN: () => expect(ciSystemOf({ [`${prefix}ID_TOKEN`]: 'a.b.c' })).toBe('variable'),
    RUN_ID: () => expect(runIdOf({ [`${prefix}RUN_ID`]: 'run-1' }, new Date())).toBe('run-1'),
    SESSION: async () => {
      const world = gated();
      const run = (name: string, ...words: string[]) =>
        world.run(words, { env: { [`${prefix}SESSION`]: name } });
      const asked = (await run('ada', 'quiz', 'gated', '--json')).json() as { quiz: QuizView };
      const right = asked.quiz.quizzes[0]!.questions[0]!.options.find(({ text }) => text === 'this')!.option;
      await run('ada', 'quiz', 'gated', '--answer', `1=${right}`);
      const show = async (name: string) =>
        (await run(name, 'show', 'gated', '--section', 'Gated', '--fresh')).status;
      expect([await show('ada'), await show('bob')]).toEqual([0, 1]);
    },
    NO_LOG: async () => {
      const world = makeWorld({ '.skillc/skills/demo/SKILL.md': skillText('demo') });
      const show = (env: Record<string, string>) =>
        skc(['show', 'demo', '--section', 'demo', '--fresh'], { cwd: world.project, home: world.home, env });
      const isLogged = () => Object.keys(world.list()).some((path) => path.endsWith('logs.db'));
      await show({ [`${prefix}NO_LOG`]: '1' });
      expect(isLogged()).toBe(false);
      await show({});
      expect(isLogged()).toBe(true);
    },
    DEBUG: async () => {
      const env = { [`${prefix}DEBUG`]: '1' };
      expect((await skc(['list'], { env })).stderr).toContain('project');
      expect((await skc(['list'])).stderr).not.toContain('project');
    },
  };
  test.each(Object.entries(cases))('%s', (_, check) => check());
});

function gated(): World {
  const quiz = `quiz:
  title: Entrance
  gate: true
  questions:
    - question: Which?
      options: [{ label: this, correct: true }, { label: that }]
`;
  return makeWorld({
    '.skillc/skills/gated/SKILL.md': skillText('gated', '# Gated\n\nText.\n').replace(
      '\n---\n\n',
      `\n${quiz}---\n\n`,
    ),
  });
}

describe('set under both names to different values', () => {
  const env = { SKC_GATEWAY_BUDGET: '300', SKILLC_GATEWAY_BUDGET: '400' };
  const note =
    'warning[W112]: SKC_GATEWAY_BUDGET and SKILLC_GATEWAY_BUDGET are both set: SKC_GATEWAY_BUDGET counts';

  test('the command line says so once, and the new name counts', async () => {
    const { stdout, stderr } = await skc(['config', 'gateway.budget', '--show-origin'], { env });
    expect(stdout).toBe('gateway.budget = 300  # SKC_GATEWAY_BUDGET\n');
    expect(stderr).toBe(`${note}\n`);
    expect(
      (await skc(['config', 'gateway.budget'], { env: { ...env, SKILLC_GATEWAY_BUDGET: '300' } })).stderr,
    ).toBe('');
  });

  test('the library tells its listener', async () => {
    const codes: string[] = [];
    const place = { cwd: makeDirectory(), home: makeDirectory() };
    await createClient({ ...place, env, onDiagnostic: ({ code }) => codes.push(code) }).list();
    expect(codes).toEqual(['W112']);
  });

  test('skc rpc says so on its error stream', async () => {
    const client = startRpc({ ...makePlace({}), env });
    await client.call('initialize', {} as never).catch(() => {});
    await client.call('skills.list' as never).catch(() => {});
    client.process.stdin.end();
    await client.exited;
    expect(client.stderr()).toContain(note);
  });
});

describe('the page of variables', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('.generated.ts'),
  );
  const texts = files.map((path): [string, string] => [path, readFileSync(join(source, path), 'utf8')]);

  test('names every variable that the source reads', () => {
    const read = texts.flatMap(([, text]) => [
      ...[...text.matchAll(/(?<![,'|])\benv\??\.([A-Za-z]\w*_\w+|[A-Z][A-Z]+)\b/g)].map(([, name]) => name!),
      ...[...text.matchAll(/\bSKC_[A-Z_]*[A-Z]\b/g)].map(([name]) => name),
    ]);
    expect([...new Set(read)].filter((name) => !page.includes(`\`${name}`)).toSorted()).toEqual([]);
  });

  test('one function reads the variables of skc', () => {
    const around = texts.filter(
      ([path, text]) =>
        !['base/variables.ts', 'base/diagnostics/codes.ts'].includes(path) &&
        /SKILLC_|env\??(?:\.|\[['"`])SKC_/.test(text),
    );
    expect(around.map(([path]) => path)).toEqual([]);
  });

  test('names every place in .skillc', () => {
    const places = texts.flatMap(([, text]) =>
      [...text.matchAll(/join\((?:\w+\.)?root, '([\w.]+)'/g)].map(([, name]) => name!),
    );
    expect([...new Set(places)].filter((name) => !page.includes(`.skillc/${name}`))).toEqual([]);
  });
});
