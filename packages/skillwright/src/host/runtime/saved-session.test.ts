import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Tree } from '../../../test/make-directory.ts';
import { makeWorld, skillText, type World } from '../../../test/make-world.ts';
import { requireProgram } from '../../../test/required-program.ts';
import { storeAt } from '../../skill/workspace/project.ts';
import { switchSkills } from '../../skill/workspace/switched-off.ts';
import { createSession } from './create-session.ts';
import type { SessionOptions } from './session.ts';

async function open(world: World, options: Partial<SessionOptions> = {}) {
  const { project: cwd, home } = world;
  const session = await createSession({ cwd, home, trust: true, discovery: { cache: false }, ...options });
  onTestFinished(() => session.close());
  return session;
}

const labels = ['Ash', 'Beech', 'Cedar', 'Elm'];
const options = labels.map((label) => (label === 'Elm' ? { label, correct: true } : { label }));
const questions = ['Which tree?', 'And now?', 'At last?'].map((question) => ({ question, options }));
const quiz = { gate: true, questions };
const gated: Tree = {
  '.agents/skills/trees/SKILL.md': `---\nname: trees\ndescription: Use for trees.\nquiz: ${JSON.stringify(quiz)}\n---\n\nThe text.\n`,
};

describe('the id and the quizzes', () => {
  test('options keep the numbers the model has seen', async () => {
    const world = makeWorld(gated);
    const before = await open(world);
    const shown = await before.quiz({ name: 'trees' });
    const choices = shown.quizzes[0]!.questions.map((question, index) => ({
      question: index + 1,
      options: question.options.flatMap(({ option, text }) => (text === 'Elm' ? [option] : [])),
    }));
    const saved = JSON.parse(JSON.stringify(await before.save()));
    for (const more of [{}, { sessionId: 'another' }, { log: true }]) {
      const session = await open(world, more);
      await session.resume(saved);
      expect(session.id).toBe(before.id);
      expect((await session.inspect()).session_id).toBe(before.id);
      expect(await session.quiz({ name: 'trees' })).toEqual(shown);
      const { answers } = await session.answerQuiz({ name: 'trees' }, choices);
      expect(answers.map(({ correct }) => correct)).toEqual([true, true, true]);
      expect((await session.load({ name: 'trees' })).text).toContain('The text.');
      expect((await session.plan({ name: 'trees' })).body).toContain('The text.');
    }
  });

  test('a resumed session can be saved again', async () => {
    const world = makeWorld({ ...gated, '.agents/skills/a/SKILL.md': skillText('a') });
    const before = await open(world, { permissions: { confirm: [{ tool: 'skill_load' }] } });
    await before.load({ name: 'a' }, { confirmed: true });
    await before.answerQuiz({ name: 'trees' }, [{ question: 1, options: [1] }], { confirmed: true });
    const saved = await before.save();
    expect(saved).toMatchObject({ version: 2, loaded: [{ name: 'a' }], confirmed: [{}, {}], quizzes: [{}] });
    const session = await open(world, { permissions: { confirm: [{ tool: 'skill_load' }] } });
    await session.resume(saved, { vouched: true });
    expect(await session.save()).toEqual(saved);
  });
});

describe('a saved session grants no permission', () => {
  const permissions = { confirm: [{ tool: 'skill_load' }] };
  const files = { '.agents/skills/a/SKILL.md': skillText('a') };
  const unconfirmed = expect.objectContaining({ code: 'E061' });

  test('confirmations are asked again, with a warning', async () => {
    const world = makeWorld(files);
    const before = await open(world, { permissions });
    await before.load({ name: 'a' }, { confirmed: true });
    const saved = await before.save();
    const session = await open(world, { permissions });
    const report = await session.resume(saved);
    expect(report.diagnostics).toEqual([
      {
        code: 'W061',
        severity: 'warning',
        message: "not kept: your permission to use skill_load on 'a': a saved session grants no permissions",
        help: 'skc asks you again when needed; a host that stores saved sessions safely can resume them with { vouched: true }',
      },
    ]);
    await expect(session.load({ name: 'a' })).rejects.toEqual(unconfirmed);
    const vouched = await open(world, { permissions });
    expect((await vouched.resume(saved, { vouched: true })).diagnostics).toEqual([]);
    expect((await vouched.load({ name: 'a' })).status).toBe('already-loaded');
    world.write({ '.agents/skills/a/new.md': 'x' });
    await expect(vouched.load({ name: 'a' })).rejects.toEqual(unconfirmed);
  });

  test('a deny rule holds even if the host trusts the saved session', async () => {
    const world = makeWorld(files);
    const before = await open(world, { permissions });
    await before.load({ name: 'a' }, { confirmed: true });
    const denied = await open(world, { permissions: { deny: [{ tool: 'skill_load' }] } });
    const report = await denied.resume(await before.save(), { vouched: true });
    expect(report.vanished.map(({ name }) => name)).toEqual(['a']);
    await expect(denied.load({ name: 'a' })).rejects.toMatchObject({ code: 'E060' });
  });

  test('a different working directory is reported', async () => {
    const world = makeWorld(files);
    const saved = await (await open(world)).save();
    const { diagnostics } = await (await open(world)).resume({ ...saved, cwd: '/elsewhere' });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'not kept: the working directory: it was /elsewhere',
    ]);
  });
});

describe('active toolsets', () => {
  beforeEach((context) => requireProgram(context, 'bwrap'));
  const toolset = (name: string, ...tools: string[]): Tree => ({
    [`.agents/skills/${name}/SKILL.md`]: skillText(name).replace('\n---\n\n', '\ntoolsets: ["t:T"]\n---\n\n'),
    [`.agents/skills/${name}/t.js`]: `export const T = { tools: { ${tools
      .map((tool) => `${tool}: { description: 'Does it.', run: () => '${tool}' }`)
      .join(', ')} } };`,
  });
  const names = ['kept', 'gone', 'off', 'strange', 'smaller', 'asked'];
  const files = Object.assign({}, ...names.map((name) => toolset(name, 'one', 'two')));

  test('start again if still allowed and trusted; the others are reported', async () => {
    const world = makeWorld(files);
    const before = await open(world, { trustsSkill: () => true });
    for (const name of names) await before.activate({ name });
    const saved = JSON.parse(JSON.stringify(await before.save()));
    expect(saved.active[0]).toEqual({
      name: 'kept',
      path: join(world.project, '.agents/skills/kept/SKILL.md'),
      tools: ['kept__one', 'kept__two'],
    });
    rmSync(join(world.project, '.agents/skills/gone'), { recursive: true });
    switchSkills(['off'], false, { store: storeAt('project', world.project), others: [] });
    world.write(toolset('smaller', 'one'));
    const asked: string[] = [];
    const session = await open(world, {
      trustsSkill: ({ name }) => name !== 'strange',
      permissions: { confirm: [{ tool: 'skill_run', skill_name: 'asked' }] },
      confirm: async ({ skill, tool }) => {
        asked.push(`${tool} ${skill.name}`);
        return false;
      },
    });
    const { active, diagnostics } = await session.resume(saved);
    expect(active.map(({ name, tools }) => [name, tools])).toEqual([
      ['kept', ['kept__one', 'kept__two']],
      ['smaller', ['smaller__one']],
    ]);
    const place = (name: string) => join(world.project, `.agents/skills/${name}/SKILL.md`);
    expect(diagnostics.filter(({ code }) => code === 'W061').map(({ message }) => message)).toEqual([
      `not kept: the tools of '${place('gone')}': the skill was removed, disabled or denied`,
      `not kept: the tools of '${place('off')}': the skill was removed, disabled or denied`,
      "not kept: the tools of 'strange': you have not trusted this skill",
      "not kept: the tools of 'smaller': the skill no longer has them",
      "not kept: the tools of 'asked': confirmation required: 'asked'",
    ]);
    expect(asked).toEqual(['skill_run asked']);
    expect(session.tools().map(({ name }) => name)).toEqual(['kept__one', 'kept__two', 'smaller__one']);
    expect(await session.tools()[0]!.call({})).toBe('one');
  });

  test('running ones are not restarted', async () => {
    const world = makeWorld(toolset('kept', 'one'));
    const session = await open(world, { trustsSkill: () => true });
    await session.activate({ name: 'kept' });
    const report = await session.resume(await session.save());
    expect([report.active.map(({ tools }) => tools), report.diagnostics]).toEqual([[['kept__one']], []]);
  });

  test('a tool is not listed while a quiz locks its skill', async () => {
    const path = '.agents/skills/kept/SKILL.md';
    const files = toolset('kept', 'one');
    const closed = (files[path] as string).replace('\n---\n\n', `\nquiz: ${JSON.stringify(quiz)}\n---\n\n`);
    const world = makeWorld(files);
    const session = await open(world, { trustsSkill: () => true });
    const { tools } = await session.activate({ name: 'kept' });
    world.write({ [path]: closed });
    expect(session.tools()).toEqual([]);
    await expect(tools[0]!.call({})).rejects.toMatchObject({ code: 'E062' });
    world.write({ [path]: files[path]! });
    expect(session.tools().map(({ name }) => name)).toEqual(['kept__one']);
  });
});

describe('values that are not a saved session', () => {
  const good = {
    version: 2,
    session_id: 's',
    cwd: '/',
    loaded: [],
    known: [],
    active: [],
    confirmed: [],
    quizzes: [],
  };
  const confirmed = [{ tool: 'everything', dir: '/', digest: 'x' }];
  test.each([
    [null, 'E064', 'it has no version'],
    ['x', 'E064', 'it has no version'],
    [[], 'E064', 'it has no version'],
    [{}, 'E064', 'it has no version'],
    [{ ...good, version: 1 }, 'E064', 'its version is 1'],
    [{ version: 3 }, 'E064', 'its version is 3'],
    [{ version: '2' }, 'E064', 'its version is "2"'],
    [{ version: 2 }, 'E063', 'session_id must be text'],
    [{ ...good, session_id: '' }, 'E063', 'session_id must be visible characters'],
    [{ ...good, session_id: 'a\nb' }, 'E063', 'session_id must be visible characters'],
    [{ ...good, loaded: [{}] }, 'E063', 'loaded.0.skill_id must be text'],
    [{ ...good, confirmed }, 'E063', 'confirmed.0.tool must be one of skill_load, skill_run'],
    [{ ...good, more: 1 }, 'E063', expect.any(String)],
  ])('%j: %s', async (value, code, why) => {
    const session = await open(makeWorld());
    const { id } = session;
    const named = code === 'E063' ? 'saved session damaged: ' : 'not a saved session of this version: ';
    const message = typeof why === 'string' ? named + why : why;
    await expect(session.resume(value)).rejects.toMatchObject({ code, message });
    expect(session.id).toBe(id);
  });

  test('a value of this version is a saved session', async () => {
    const session = await open(makeWorld(), { cwd: '/' });
    expect(await session.resume(good)).toMatchObject({ unchanged: [], active: [], diagnostics: [] });
    expect(session.id).toBe('s');
  });
});
