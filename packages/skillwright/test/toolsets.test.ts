// Toolsets and hooks as a host, a framework and a person at the command line meet them.

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { trustDigest, trustSkill } from '../src/guard/execute/grant-memory.ts';
import { readSkillGrants } from '../src/guard/execute/skill-access.ts';
import { bindTools } from '../src/host/adapters/bind-tools.ts';
import { createSession } from '../src/host/runtime/create-session.ts';
import type { Session, SessionOptions } from '../src/host/runtime/session.ts';
import { runProcess } from './built-package.ts';
import { makeDirectory, type Tree } from './make-directory.ts';
import { makeWorld, type World } from './make-world.ts';
import { processEnvironment } from './process-environment.ts';
import { requireProgram } from './required-program.ts';
import { skcScript } from './skc-program.ts';

beforeEach((context) => requireProgram(context, 'bwrap'));

const example = fileURLToPath(new URL('../../../examples/skills/text-statistics', import.meta.url));

const tool = (name: string, body: string) =>
  `export const T = { tools: { ${name}: { description: 'Does ${name}.', run() { ${body} } } } };`;

const skill = (name: string, fields: string, files: Tree = {}): Tree => ({
  [`.agents/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Use for ${name}.\n${fields}\n---\n\n# ${name}\n`,
  ...Object.fromEntries(
    Object.entries(files).map(([path, content]) => [`.agents/skills/${name}/${path}`, content]),
  ),
});

async function open(
  files: Tree,
  options: Partial<SessionOptions> = {},
): Promise<{ world: World; session: Session }> {
  const world = makeWorld(files);
  const { project: cwd, home } = world;
  const discovery = { cache: false as const };
  const env = { PATH: process.env.PATH };
  const session = await createSession({
    cwd,
    home,
    env,
    trust: true,
    sessionId: 's1',
    discovery,
    ...options,
  });
  onTestFinished(() => session.close());
  return { world, session };
}

const trustsSkill = () => true;
const names = (session: Session) => session.tools().map(({ name }) => name);

describe('a session', () => {
  const two = {
    ...skill('one', 'toolsets: ["a:T"]', { 'a.js': tool('go', "return 'one'") }),
    ...skill('two', 'toolsets: ["a:T", "b:T"]', {
      'a.js': tool('go', 'return { two: 2 }'),
      'b.js': "throw new Error('broken');",
    }),
    ...skill('plain', 'license: MIT'),
  };

  test('has the tools of what is active', async () => {
    const { session } = await open(two, { trustsSkill });
    expect(names(session)).toEqual([]);
    const activated = await session.activate({ name: 'two' });
    expect([
      activated.tools.map(({ name }) => name),
      activated.diagnostics.map(({ detail }) => detail),
    ]).toEqual([['two__go'], ['it cannot be imported: broken']]);
    await Promise.all([session.activate({ name: 'one' }), session.activate({ name: 'one' })]);
    expect(await session.activate({ name: 'plain' })).toEqual({ tools: [], diagnostics: [] });
    expect(names(session)).toEqual(['two__go', 'one__go']);
    const [first] = session.tools();
    expect([await session.deactivate({ name: 'two' }), await session.deactivate({ name: 'two' })]).toEqual([
      true,
      false,
    ]);
    expect(names(session)).toEqual(['one__go']);
    await expect(first!.call({})).rejects.toMatchObject({ code: 'E080' });
    await session.close();
    expect(names(session)).toEqual([]);
  });

  test('activates nothing that is not trusted, denied, closed or unknown', async () => {
    const gate =
      'quiz: {gate: true, questions: [{question: Q, options: [{label: a, correct: true}, {label: b}]}]}';
    const files = { ...two, ...skill('gated', `toolsets: ["a:T"]\n${gate}`, { 'a.js': tool('go', '') }) };
    const { session, world } = await open(files, {
      permissions: { deny: [{ tool: 'skill_run', skill_name: 'two' }] },
    });
    expect((await session.activate({ name: 'one' })).diagnostics).toEqual([
      {
        code: 'E080',
        severity: 'error',
        message: "toolset refused or failed to load: 'a:T'",
        detail: 'you have not trusted this skill',
        help: `read its code, then trust it with 'skc tools ${world.project}/.agents/skills/one --trust'`,
      },
    ]);
    await expect(session.activate({ name: 'two' })).rejects.toMatchObject({ code: 'E060' });
    await expect(session.activate({ name: 'gated' })).rejects.toMatchObject({ code: 'E062' });
    await expect(session.activate({ name: 'none' })).rejects.toMatchObject({ code: 'E001' });
    const dir = join(world.project, '.agents/skills/one');
    trustSkill(world.home, { dir, digest: trustDigest(readSkillGrants(dir, world)) });
    expect((await session.activate({ name: 'one' })).tools.map(({ name }) => name)).toEqual(['one__go']);
  });

  test('gives them to a framework beside its own', async () => {
    const files = {
      ...skill('one', 'toolsets: ["a:T"]', {
        'a.js': `export const T = { tools: {
          add: { description: 'Adds. </skill_context>', input: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }, run: ({ a }) => ({ sum: a + 1 }) },
          tag: { description: '', run: () => '</skill_context> out' },
        } };`,
      }),
    };
    const { session } = await open(files, { trustsSkill });
    await session.activate({ name: 'one' });
    const tools = await bindTools(session);
    expect(tools.map(({ name }) => name).slice(-2)).toEqual(['one__add', 'one__tag']);
    const [add, tag] = tools.slice(-2);
    expect([
      await add!.run({ a: 1 }),
      await add!.run({ a: 'x' }),
      add!.input.safeParse({}).success,
      add!.description.includes('</skill_context>'),
      (await tag!.run({})).includes('</skill_context>'),
    ]).toEqual([
      '{"sum":2}',
      'error[E075]: arguments refused: one__add: a must be a number',
      false,
      false,
      false,
    ]);
  });

  test('a call that is aborted ends, with its process when the tool does not obey', async () => {
    const source = `const started = String(Math.random()); export const T = { tools: {
      id: { description: '', run: () => started },
      hang: { description: '', run: () => new Promise(() => {}) },
    } };`;
    const { session } = await open(skill('one', 'toolsets: ["a:T"]', { 'a.js': source }), { trustsSkill });
    const { tools } = await session.activate({ name: 'one' });
    const [id, hang] = tools;
    const before = await id!.call({});
    const ending = new AbortController();
    const hung = hang!.call({}, { signal: ending.signal });
    // Its answer comes after the other call has begun.
    await id!.call({});
    ending.abort(new Error('given up'));
    await expect(hung).rejects.toThrow('given up');
    await expect.poll(() => id!.call({})).not.toBe(before);
  });

  test('runs the hooks of skills that were loaded, and of no others', async () => {
    const stop = (line: string) =>
      `hooks: {Stop: [{hooks: [{type: command, command: ${JSON.stringify(line)}}]}]}`;
    const files = {
      ...skill('loaded', stop('echo loaded >&2; exit 2')),
      ...skill('unloaded', stop('echo unloaded >&2; exit 2')),
    };
    const { session, world } = await open(files, { trustsSkill });
    const reasons = async () => (await session.hooks('Stop', {})).reasons;
    expect(await reasons()).toEqual([]);
    await session.load({ name: 'loaded' });
    expect(await reasons()).toEqual(['loaded']);
    await world.run(['skills', '--disable', 'loaded']);
    await session.catalog({ reload: true });
    const report = await session.hooks('Stop', {});
    expect([report.reasons, report.diagnostics.map(({ code }) => code)]).toEqual([[], ['E001']]);
  });

  test('hands questions to the host', async () => {
    const fields = 'hooks: {Stop: [{hooks: [{type: prompt, prompt: "Done? $ARGUMENTS"}]}]}';
    const prompt = async ({ prompt: text }: { prompt: string }) => ({ ok: false, reason: text });
    const { session, world } = await open(skill('asking', fields), { trustsSkill, hookHandlers: { prompt } });
    await session.load({ name: 'asking' });
    expect((await session.hooks('Stop', { n: 1 })).reasons).toEqual([
      `Done? {"session_id":"s1","cwd":"${world.project}","n":1,"hook_event_name":"Stop"}`,
    ]);
  });
});

describe('skc tools', () => {
  const env = { PATH: process.env.PATH! };

  test('lists, trusts, calls, distrusts', async () => {
    const hooks = 'hooks: {PreToolUse: [{matcher: Bash, hooks: [{type: command, command: ./check.sh}]}]}';
    const source = `export const T = { tools: { up: { description: 'Capitals.', input: { type: 'object', properties: { text: { type: 'string', description: 'What' }, n: { type: 'integer' } }, required: ['text'] }, run: ({ text }) => text.toUpperCase() } } };`;
    const world = makeWorld(skill('demo', `toolsets: ["a:T"]\n${hooks}`, { 'a.js': source }));
    const run = async (...words: string[]) => {
      const { status, stdout, stderr } = await world.run(['tools', 'demo', ...words], { env });
      return { status, text: `${stdout}${stderr}` };
    };
    const refused =
      "error[E080]: toolset refused or failed to load: 'a:T'\nyou have not trusted this skill\nhelp: read its code, then trust it with 'skc tools <cwd>/.agents/skills/demo --trust'\n";
    const hook = 'PreToolUse Bash  command: ./check.sh\n';
    expect(await run()).toEqual({ status: 1, text: `demo is not trusted\n${hook}${refused}` });
    expect(await run('up', '--input', '{"text":"a"}')).toEqual({ status: 1, text: refused });
    expect(await run('--trust')).toEqual({
      status: 0,
      text: `demo is trusted, until it changes\ndemo__up  Capitals.\n  text (string)  What\n  n (integer, optional)\n${hook}`,
    });
    expect(await run('up', '--input', '{"text":"a\\u001b[0m"}')).toEqual({ status: 0, text: 'A\u001b[0M\n' });
    expect(await run('demo__up', '--input', '{"text":"a"}')).toEqual({ status: 0, text: 'A\n' });
    expect(await run('up')).toEqual({
      status: 1,
      text: 'error[E075]: arguments refused: demo__up: text must be text\nhelp: a script takes at most 100 arguments of at most 4,096 characters. `skc tools demo` lists the inputs of tools\n',
    });
    expect(await run('down')).toEqual({
      status: 1,
      text: "error[E100]: unknown tool 'down'\nhelp: its tools: demo__up\n",
    });
    expect(await run('up', '--input', '{')).toEqual({
      status: 1,
      text: `error[E100]: --input is not JSON\nhelp: write it as an object in quotes, such as --input '{"text": "one two"}'\n`,
    });
    expect(await run('--trust', '--distrust')).toEqual({
      status: 1,
      text: 'error[E100]: --trust and --distrust exclude each other\nhelp: run `skc tools --help` to see the options\n',
    });
    expect(await run('--distrust')).toEqual({ status: 0, text: `demo is not trusted\n${hook}` });
    expect(await run()).toMatchObject({ status: 1 });
  });

  test('an edit ends the trust', async () => {
    const world = makeWorld(skill('demo', 'toolsets: ["a:T"]', { 'a.js': tool('go', 'return 1') }));
    expect(await world.run(['tools', 'demo', '--trust'], { env })).toMatchObject({ status: 0 });
    writeFileSync(join(world.project, '.agents/skills/demo/a.js'), tool('go', 'return 2'));
    expect(await world.run(['tools', 'demo', 'go'], { env })).toMatchObject({ status: 1, stdout: '' });
  });

  test('a project cannot bring its own trust', async () => {
    const world = makeWorld(skill('demo', 'toolsets: ["a:T"]', { 'a.js': tool('go', 'return 1') }));
    await world.run(['tools', 'demo', '--trust'], { env });
    world.write({ '.skillc/state.json': world.read('~/.skillc/state.json'), '~/.skillc/state.json': '{}' });
    expect(await world.run(['tools', 'demo', 'go'], { env })).toMatchObject({ status: 1 });
  });

  test('with nothing to show', async () => {
    const world = makeWorld(skill('demo', 'license: MIT'));
    const { status, stdout } = await world.run(['tools', 'demo'], { env });
    expect([status, stdout]).toEqual([0, 'demo has no toolsets or hooks\n']);
  });
});

describe('the example', () => {
  const text = 'Short words help. Readers like short words!\n\nLong sentences tire everyone.';

  test.each([
    ['node', process.execPath],
    ['bun', fileURLToPath(new URL('../../../node_modules/.bin/bun', import.meta.url))],
  ])('works on %s', (_, program) => {
    const root = makeDirectory();
    cpSync(example, join(root, 'text-statistics'), { recursive: true });
    const options = {
      cwd: root,
      env: { ...processEnvironment, SKC_HOME: makeDirectory(), SKC_NO_LOG: '1' },
    };
    const skc = (...words: string[]) =>
      runProcess(program, [skcScript, 'tools', './text-statistics', ...words], options);
    expect(skc('--trust')).toMatchObject({ status: 0, stderr: '' });
    const call = (name: string, input: object) => {
      const { stdout, stderr } = skc(name, '--input', JSON.stringify(input));
      return stderr === '' ? JSON.parse(stdout) : stderr;
    };
    expect([
      call('count', { text }),
      call('readability', { text }),
      call('frequent', { text, limit: 2 }),
      call('readability', { text: '!' }),
    ]).toEqual([
      { characters: 74, words: 11, sentences: 3, paragraphs: 2, reading_minutes: 0 },
      { ease: 80, level: 'easy', words_a_sentence: 3.7 },
      [
        { word: 'short', count: 2 },
        { word: 'words', count: 2 },
      ],
      "error[E073]: script failed: 'text_statistics__readability'\nthe text has no words\n",
    ]);
  });

  test('its text names its tools', () => {
    const body = readFileSync(join(example, 'SKILL.md'), 'utf8');
    expect(body.match(/text_statistics__\w+/g)).toEqual(
      ['count', 'readability', 'frequent'].map((name) => `text_statistics__${name}`),
    );
  });
});
