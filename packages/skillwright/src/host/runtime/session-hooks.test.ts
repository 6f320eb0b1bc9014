import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Tree } from '../../../test/make-directory.ts';
import { makeWorld, type World } from '../../../test/make-world.ts';
import { requireProgram } from '../../../test/required-program.ts';
import { createSession } from './create-session.ts';
import type { SessionOptions } from './session.ts';

beforeEach((context) => requireProgram(context, 'bwrap'));

const path = '.agents/skills/careful/SKILL.md';
const careful = (command: string, more = ''): Tree => ({
  [path]: `---\nname: careful\ndescription: Guards.\nhooks: {PreToolUse: [{matcher: Bash, hooks: [{type: command, command: ${JSON.stringify(command)}}]}]}\n${more}---\n\n# Careful\n`,
});
const guard = careful("if grep -q 'rm '; then echo Move it. >&2; exit 2; fi");
const quiz =
  'quiz: {gate: true, questions: [{question: Q, options: [{label: a, correct: true}, {label: b}]}]}\n';

/** Asks a loaded hook, after something has happened to it. */
async function ask(
  files: Tree,
  {
    options = {},
    meanwhile = () => {},
  }: { options?: Partial<SessionOptions>; meanwhile?: (world: World) => unknown } = {},
) {
  const world = makeWorld(files);
  const { project: cwd, home } = world;
  const session = await createSession({
    cwd,
    home,
    trust: true,
    discovery: { cache: false },
    trustsSkill: () => true,
    ...options,
  });
  onTestFinished(() => session.close());
  await session.load({ name: 'careful' });
  await meanwhile(world);
  const may = async (command: string) => {
    const event = { tool_name: 'Bash', tool_input: { command } };
    const { decision, reasons, diagnostics } = await session.hooks('PreToolUse', event);
    return { answer: decision ?? 'yes', reasons, codes: diagnostics.map(({ code }) => code) };
  };
  return { removes: await may('rm -rf x'), lists: await may('ls'), session, world };
}

test('a hook decides, with the environment of the process', async () => {
  const { removes, lists } = await ask(guard);
  expect([removes, lists]).toEqual([
    { answer: 'block', reasons: ['Move it.'], codes: [] },
    { answer: 'yes', reasons: [], codes: [] },
  ]);
});

const write = (tree: Tree) => (world: World) => world.write(tree);
const remove = ({ project }: World) => rmSync(join(project, '.agents/skills/careful'), { recursive: true });

test.each<[string, Tree, Parameters<typeof ask>[1], string]>([
  ['no PATH', guard, { options: { env: {} } }, 'sandbox unavailable: no PATH was given'],
  ['an empty PATH', guard, { options: { env: { PATH: '' } } }, 'sandbox unavailable: no PATH was given'],
  ['no bubblewrap', guard, { options: { env: { PATH: '/nowhere' } } }, 'bubblewrap (bwrap) is not installed'],
  ['no trust', guard, { options: { trustsSkill: () => false } }, 'you have not trusted this skill'],
  ['a hook that dies', careful('kill -9 $$'), {}, 'it ended with status 137'],
  ['a hook that fails', careful('exit 1'), {}, 'it ended with status 1'],
  ['no interpreter', careful('no-such-interpreter x'), {}, 'it ended with status 127'],
  [
    'a hook that hangs',
    careful('sleep 60'),
    { options: { config: { scripts: { timeout: 1 } } } },
    'too long',
  ],
  ['output that cannot be parsed', careful('echo "{"'), {}, 'its answer is not understood'],
  ['a skill that is gone', guard, { meanwhile: remove }, "skill 'careful' not found"],
  ['a text that cannot be read', guard, { meanwhile: write({ [path]: '---\n- x\n---\n' }) }, 'frontmatter'],
  [
    'a quiz that closed it',
    guard,
    { meanwhile: write(careful('exit 0', quiz)) },
    "quiz gate not passed: 'careful'",
  ],
  [
    'a rule against running it',
    guard,
    { options: { permissions: { deny: [{ tool: 'skill_run' }] } } },
    "denied by permission rule: 'careful'",
  ],
])('with %s the answer is no, with the reason', async (_, files, how, why) => {
  const { removes, lists } = await ask(files, how);
  for (const { answer, reasons, codes } of [removes, lists])
    expect([answer, reasons, codes]).toEqual(['block', [expect.stringContaining(why)], ['W060']]);
});

test('a hook of a skill the user disables no longer applies', async () => {
  const meanwhile = (world: World) => world.run(['skills', '--disable', 'careful']);
  const { removes } = await ask(guard, { meanwhile });
  expect(removes).toEqual({ answer: 'yes', reasons: [], codes: ['E001'] });
});

test('nor does one that is gone from the catalog', async () => {
  const { session, world } = await ask(guard);
  remove(world);
  await session.catalog({ reload: true });
  const { decision, diagnostics } = await session.hooks('PreToolUse', { tool_name: 'Bash' });
  expect([decision, diagnostics.map(({ code }) => code)]).toEqual([undefined, ['E001']]);
});

describe('hooks that nobody has trusted', () => {
  const guard = {
    '.agents/skills/guard/SKILL.md': `---
name: guard
description: Guards.
hooks:
  PreToolUse:
    - matcher: "*"
      hooks: [{ type: command, command: "true" }]
---

# Guard
`,
  };
  const openGuard = async (decideHooks?: SessionOptions['decideHooks']) => {
    const world = makeWorld(guard);
    const { project: cwd, home } = world;
    const options = decideHooks === undefined ? {} : { decideHooks };
    const session = await createSession({ cwd, home, trust: true, discovery: { cache: false }, ...options });
    const raise = async () => (await session.hooks('PreToolUse', { tool_name: 'Bash' })).decision;
    return { world, session, raise };
  };

  test('are reported when the skill is loaded, with the way out', async () => {
    const { session, raise } = await openGuard();
    const { diagnostics } = await session.load({ name: 'guard' });
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      [
        'W060',
        "hook without an answer: 'guard: PreToolUse': you have not trusted this skill, so all it watches is blocked",
      ],
    ]);
    expect(diagnostics[0]!.help).toMatch(/^read its hooks, then trust it with 'skc tools .* --trust'/);
    expect(await raise()).toBe('block');
    await session.decideHooks({ name: 'guard' }, 'skip');
    expect(await raise()).toBe(undefined);
    await session.decideHooks({ name: 'guard' }, 'block');
    expect(await raise()).toBe('block');
  });

  test('are decided by the host once, for these files', async () => {
    const asked: unknown[] = [];
    const { session, raise, world } = await openGuard(async ({ skill, events }) => {
      asked.push([skill.name, events]);
      return 'skip';
    });
    expect((await session.load({ name: 'guard' })).diagnostics).toEqual([]);
    await session.load({ name: 'guard' }, { force: true });
    expect([asked, await raise()]).toEqual([[['guard', ['PreToolUse']]], undefined]);
    world.write({ '.agents/skills/guard/other.md': 'New.\n' });
    expect(await raise()).toBe('block');
    await session.load({ name: 'guard' }, { force: true });
    expect([asked.length, await raise()]).toEqual([2, undefined]);
  });

  test('run when the host says so', async (context) => {
    requireProgram(context, 'bwrap');
    const { session, raise } = await openGuard(async () => 'run');
    await session.load({ name: 'guard' });
    expect(await raise()).toBe(undefined);
  });
});
