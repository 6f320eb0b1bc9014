import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Tree } from '../../../test/make-directory.ts';
import { makeWorld, skillText, type World } from '../../../test/make-world.ts';
import { requireProgram } from '../../../test/required-program.ts';
import { digestSkill } from '../../skill/quiz/digest-skill.ts';
import type { ConfirmationAnswer, ConfirmationQuestion } from './confirmations.ts';
import { createSession } from './create-session.ts';
import type { SessionOptions } from './session.ts';

const toolset = `export const T = { tools: { go: { description: 'Goes.', run: () => 1 } } };`;
const guard = `hooks: {PreToolUse: [{matcher: Bash, hooks: [{type: command, command: "exit 0"}]}]}`;
const files: Tree = {
  '.agents/skills/a/SKILL.md': skillText('a', '# A\n', 'Does a.').replace('\n---\n\n', `\n${guard}\n---\n\n`),
  '.agents/skills/a/scripts/go.sh': 'echo gone\n',
  '.agents/skills/a/inner/b/SKILL.md': skillText('b'),
  '.agents/skills/plain/SKILL.md': skillText('plain'),
  '.agents/skills/tools/SKILL.md': skillText('tools').replace('\n---\n\n', '\ntoolsets: ["t:T"]\n---\n\n'),
  '.agents/skills/tools/t.js': toolset,
};
const ask = (tool: string, skill_name?: string) => ({
  confirm: [{ tool, ...(skill_name === undefined ? {} : { skill_name }) }],
});

/** A session whose user answers `answer`, and the questions it asked. */
async function open(world: World, answer: ConfirmationAnswer, options: Partial<SessionOptions> = {}) {
  const asked: ConfirmationQuestion[] = [];
  const session = await createSession({
    cwd: world.project,
    home: world.home,
    trust: true,
    discovery: { cache: false },
    trustsSkill: () => true,
    confirm: async (question) => {
      asked.push(question);
      return answer;
    },
    ...options,
  });
  onTestFinished(() => session.close());
  return { session, asked, brief: () => asked.map(({ skill, tool }) => `${tool} ${skill.name}`) };
}

const unconfirmed = expect.objectContaining({ code: 'E061' });

describe('the question', () => {
  test('names the tool and the rule, and whether the answer can be stored', async () => {
    const world = makeWorld(files);
    const { session, asked } = await open(world, true, { permissions: ask('skill_load', 'a') });
    await session.load({ name: 'a' });
    const dir = join(world.project, '.agents/skills/a');
    expect(asked).toEqual([
      {
        skill: { name: 'a', description: 'Does a.', path: join(dir, 'SKILL.md'), dir },
        tool: 'skill_load',
        rule: { tool: 'skill_load', skill_name: 'a' },
        remembers: true,
      },
    ]);
  });

  test('is asked once for all calls that wait for the same answer', async () => {
    const world = makeWorld(files);
    const yes = await open(world, true, { permissions: ask('skill_load') });
    const path = join(world.project, '.agents/skills/a/SKILL.md');
    await Promise.all([
      yes.session.load({ name: 'a' }),
      yes.session.load({ path }),
      yes.session.listResources({ name: 'a' }),
      yes.session.plan({ name: 'a' }),
      yes.session.load({ name: 'plain' }),
    ]);
    expect(yes.brief().sort()).toEqual(['skill_load a', 'skill_load plain']);
    const no = await open(world, false, { permissions: ask('skill_load') });
    const both = await Promise.allSettled([no.session.load({ name: 'a' }), no.session.load({ name: 'a' })]);
    expect(both).toEqual([1, 2].map(() => ({ status: 'rejected', reason: unconfirmed })));
    expect(no.brief()).toEqual(['skill_load a']);
    await expect(no.session.load({ name: 'a' })).rejects.toEqual(unconfirmed);
    expect(no.brief()).toEqual(['skill_load a', 'skill_load a']);
  });

  test('names the skill the rule applies to', async () => {
    const world = makeWorld(files);
    const roots = [{ path: join(world.project, '.agents/skills/a/inner'), scope: 'user' as const }];
    const { session, brief } = await open(world, true, {
      permissions: ask('skill_load'),
      discovery: { cache: false, roots },
    });
    await session.load({ name: 'b' });
    expect(brief()).toEqual(['skill_load b', 'skill_load a']);
  });

  test('an answer that is neither yes nor no is no', async () => {
    const { session } = await open(makeWorld(files), 'yes' as never, { permissions: ask('skill_load') });
    await expect(session.load({ name: 'a' })).rejects.toEqual(unconfirmed);
  });
});

describe('running', () => {
  beforeEach((context) => requireProgram(context, 'bwrap'));
  const permissions = ask('skill_run');

  test('is asked only when there is something to run', async () => {
    const { session, brief } = await open(makeWorld(files), true, { permissions });
    await session.load({ name: 'a' });
    await session.load({ name: 'plain' });
    await expect(session.runScript({ name: 'a' }, 'none.sh')).rejects.toMatchObject({ code: 'E070' });
    expect(await session.activate({ name: 'plain' })).toEqual({ tools: [], diagnostics: [] });
    await session.hooks('Stop', {});
    await session.hooks('PreToolUse', { tool_name: 'Edit' });
    expect(brief()).toEqual([]);
    expect((await session.hooks('PreToolUse', { tool_name: 'Bash' })).decision).toBeUndefined();
    expect((await session.runScript({ name: 'a' }, 'go')).stdout).toBe('gone\n');
    expect((await session.activate({ name: 'tools' })).tools.map(({ name }) => name)).toEqual(['tools__go']);
    expect(brief()).toEqual(['skill_run a', 'skill_run tools']);
  });

  test('a no is not asked twice, and a hook that may not run counts as no', async () => {
    const { session, brief } = await open(makeWorld(files), false, { permissions });
    await session.load({ name: 'a' });
    const { decision, reasons } = await session.hooks('PreToolUse', { tool_name: 'Bash' });
    expect([decision, reasons, brief()]).toEqual([
      'block',
      [expect.stringContaining("gave no answer: confirmation required: 'a'")],
      ['skill_run a'],
    ]);
  });

  test('a permanent yes holds for this skill with these files', async () => {
    const world = makeWorld(files);
    const { session } = await open(world, 'remember', { permissions });
    await session.runScript({ name: 'a' }, 'go');
    const path = join(world.project, '.agents/skills/a');
    expect(JSON.parse(world.read('~/.skillc/state.json'))).toEqual({
      version: 1,
      permissions: { allow: [{ tool: 'skill_run', skill_name: 'a', path, digest: digestSkill(path) }] },
    });
    const later = await open(world, false, { permissions });
    expect((await later.session.runScript({ name: 'a' }, 'go')).stdout).toBe('gone\n');
    world.write({ '.agents/skills/a/scripts/go.sh': 'echo other\n' });
    await expect(later.session.runScript({ name: 'a' }, 'go')).rejects.toEqual(unconfirmed);
    expect(later.brief()).toEqual(['skill_run a']);
  });
});

describe('an answer that cannot be stored', () => {
  test('holds for the session, with a warning', async () => {
    const world = makeWorld({ ...files, '~/.skillc': 'a file' });
    const { session, brief } = await open(world, 'remember', { permissions: ask('skill_load') });
    const { status, diagnostics } = await session.load({ name: 'a' });
    const told = {
      code: 'W061',
      severity: 'warning',
      message: expect.stringMatching(/^not kept: your permission to use skill_load on 'a': ./),
      help: 'it holds for this session; add an allow rule to your configuration to make it permanent',
      data: { tool: 'skill_load', path: join(world.project, '.agents/skills/a') },
    };
    expect([status, diagnostics]).toEqual(['loaded', [told]]);
    expect((await session.catalog()).diagnostics).toContainEqual(told);
    expect((await session.load({ name: 'a' })).status).toBe('already-loaded');
    expect(brief()).toEqual(['skill_load a']);
    expect(await session.permissions.remember({ name: 'plain' })).toBe(false);
    expect((await session.load({ name: 'plain' })).status).toBe('loaded');
  });
});
