import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeDirectory, type Tree } from '../../../test/make-directory.ts';
import { listTree } from '../../../test/make-world.ts';
import { requireProgram } from '../../../test/required-program.ts';
import { defaultConfig } from '../../skill/config/default-config.ts';
import { dispatchHooks, type HookOptions, type HookReport } from './dispatch-hooks.ts';
import { trustDigest, trustSkill } from './grant-memory.ts';
import { createHookMemory } from './hook-memory.ts';
import { limitsOf } from './limits.ts';
import { openSandbox } from './open-sandbox.ts';
import { keptDirectories, readSkillGrants } from './skill-access.ts';

beforeEach((context) => requireProgram(context, 'bwrap'));

const limits = limitsOf(defaultConfig);

/** A skill with these hooks and files. */
function makeSkill(hooks: unknown, files: Tree = {}, name = 'demo'): string {
  const text = `---\nname: ${name}\ndescription: Use when testing.\nhooks: ${JSON.stringify(hooks)}\nmetadata:\n  sandbox: write(out)\n---\n`;
  const inside = Object.fromEntries(
    Object.entries(files).map(([path, content]) => [`${name}/${path}`, content]),
  );
  return join(makeDirectory({ [`${name}/SKILL.md`]: text, ...inside }), name);
}

const command = (line: string, more: object = {}) => ({ type: 'command', command: line, ...more });
const on = (event: string, ...hooks: unknown[]) => ({ [event]: [{ hooks }] });

function dispatch(
  event: string,
  payload: Record<string, unknown>,
  more: Partial<HookOptions> & Pick<HookOptions, 'skills'>,
): Promise<HookReport> {
  const options = { limits, cwd: '/project', sessionId: 's1', env: process.env, trusted: () => true };
  const sandbox = () => openSandbox({ env: process.env });
  return dispatchHooks(event, payload, { home: makeDirectory(), sandbox, ...options, ...more });
}

const brief = ({ decision, reasons, context, results, diagnostics, continue: goesOn }: HookReport) => ({
  decision,
  reasons,
  context,
  continue: goesOn,
  statuses: results.map(({ status }) => status),
  problems: diagnostics.map(({ message }) => message),
});
/** The report of a guard hook without an answer: blocked. */
const closed = (label: string, why: string) => ({
  decision: 'block' as const,
  reasons: [`the hook '${label}' of demo gave no answer: ${why}`],
  statuses: ['blocked' as const],
  problems: [`hook without an answer: '${label}': ${why}`],
});
const quiet = { decision: undefined, reasons: [], context: [], continue: true, statuses: [], problems: [] };

describe('a command', () => {
  test('gets the event on its input and in its environment', async () => {
    const script = `#!/bin/sh\nread line\nprintf "%s\\n" "$line" "$PWD" "$CLAUDE_SKILL_DIR" "$CLAUDE_PROJECT_DIR" "$CLAUDE_SESSION_ID" "$1" "\${SECRET-none}" >&2\nexit 2\n`;
    const hook = command('sh ./hooks/tell.sh "two words"');
    const dir = makeSkill(on('PreToolUse', hook), { 'hooks/tell.sh': script });
    const env = { ...process.env, SECRET: 'x' };
    const payload = { tool_name: 'Bash', tool_input: { command: 'ls' } };
    const report = await dispatch('PreToolUse', payload, { skills: [dir], env });
    const told = { session_id: 's1', cwd: '/project', ...payload, hook_event_name: 'PreToolUse' };
    expect(report).toEqual({
      decision: 'block',
      reasons: [[JSON.stringify(told), dir, dir, '/project', 's1', 'two words', 'none'].join('\n')],
      context: [],
      messages: [],
      continue: true,
      stopReason: undefined,
      results: [
        {
          skill: 'demo',
          type: 'command',
          label: 'sh ./hooks/tell.sh "two words"',
          status: 'blocked',
          effect: expect.objectContaining({ decision: 'block' }),
        },
      ],
      diagnostics: [],
    });
  });

  test('with arguments does not run in a shell', async () => {
    const hook = command('printf', { args: ['%s', `$(id) \${CLAUDE_SKILL_DIR} \${OTHER}; exit 2`] });
    const dir = makeSkill(on('UserPromptSubmit', hook));
    const report = await dispatch('UserPromptSubmit', { prompt: 'x' }, { skills: [dir] });
    expect(brief(report)).toEqual({
      ...quiet,
      context: [`$(id) ${dir} \${OTHER}; exit 2`],
      statuses: ['done'],
    });
  });

  test.each<[string, unknown[], Partial<ReturnType<typeof brief>>]>([
    ['allows', [command('exit 0')], { statuses: ['done'] }],
    [
      'fails',
      [command('echo odd >&2; exit 1')],
      closed('echo odd >&2; exit 1', 'it ended with status 1: odd'),
    ],
    [
      'is missing',
      [command('./none.sh')],
      closed('./none.sh', 'it ended with status 127: /bin/sh: 1: ./none.sh: not found'),
    ],
    [
      'prints garbage',
      [command('echo "{ garbage }"')],
      closed('echo "{ garbage }"', 'its answer is not understood'),
    ],
    [
      'approves and dies',
      [command('echo \'{"decision":"approve"}\'; kill -9 $$')],
      closed('echo \'{"decision":"approve"}\'; kill -9 $$', 'it ended with status 137'),
    ],
    [
      'never ends',
      [command('while :; do :; done', { timeout: 1 })],
      closed('while :; do :; done', 'it took too long'),
    ],
    [
      'ignores SIGTERM',
      [command("trap '' TERM; sleep 60", { timeout: 1 })],
      closed("trap '' TERM; sleep 60", 'it took too long'),
    ],
    ['floods', [command('yes')], closed('yes', 'it wrote too much')],
    ['floods the error stream', [command('yes >&2')], closed('yes >&2', 'it wrote too much')],
    ['kills itself', [command('kill -9 $$')], closed('kill -9 $$', 'it ended with status 137')],
    ['reads nothing', [command('exec <&-; exit 0')], { statuses: ['done'] }],
    [
      'is not a program',
      [command('/etc', { args: [] })],
      {
        decision: 'block',
        reasons: [expect.stringContaining("the hook '/etc' of demo gave no answer: ") as never],
        statuses: ['blocked'],
        problems: [expect.stringContaining("hook without an answer: '/etc': ") as never],
      },
    ],
    [
      'reads a secret',
      [command('cat /etc/shadow 2>/dev/null || exit 2')],
      { decision: 'block', reasons: ['it ended with status 2'], statuses: ['blocked'] },
    ],
    [
      'is broken next to a guard',
      [command('exit 9'), command('echo no >&2; exit 2'), command('echo \'{"decision":"approve"}\'')],
      {
        decision: 'block',
        reasons: ["the hook 'exit 9' of demo gave no answer: it ended with status 9", 'no'],
        statuses: ['blocked', 'blocked', 'done'],
        problems: ["hook without an answer: 'exit 9': it ended with status 9"],
      },
    ],
    [
      'asks next to one that allows',
      [
        command(
          'echo \'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"sure?"}}\'',
        ),
        command('echo \'{"decision":"approve","reason":"fine"}\''),
      ],
      { decision: 'ask', reasons: ['sure?'], statuses: ['done', 'done'] },
    ],
    [
      'stops the agent',
      [command('echo \'{"continue":false,"stopReason":"enough"}\'')],
      { continue: false, statuses: ['done'] },
    ],
    [
      'appears twice',
      [command('echo x >&2; exit 2'), command('echo x >&2; exit 2')],
      { decision: 'block', reasons: ['x'], statuses: ['blocked'] },
    ],
  ])('that %s', async (_, hooks, expected) => {
    const dir = makeSkill(on('PreToolUse', ...hooks));
    const report = await dispatch('PreToolUse', { tool_name: 'Bash' }, { skills: [dir] });
    expect(brief(report)).toEqual({ ...quiet, ...expected });
  });

  test('runs in parallel with the others', async () => {
    // Each waits for the other's file.
    const hook = (own: string, other: string) =>
      command(`echo > out/${own}; while [ ! -e out/${other} ]; do sleep 0.02; done; exit 2`);
    const dir = makeSkill(on('Stop', hook('a', 'b'), hook('b', 'a')), { 'out/keep': '' });
    const home = makeDirectory();
    const { rememberGrants } = await import('./grant-memory.ts');
    rememberGrants(home, { dir, digest: readSkillGrants(dir, { home }).digest! }, [
      { kind: 'write', path: 'out' },
    ]);
    const report = await dispatch('Stop', {}, { skills: [dir], home });
    expect(brief(report)).toMatchObject({
      decision: 'block',
      statuses: ['blocked', 'blocked'],
      problems: [],
    });
  });
});

describe('which hooks run', () => {
  const say = (word: string, more: object = {}) => command(`echo ${word} >&2; exit 2`, more);

  test('those whose matcher and rule match', async () => {
    const dir = makeSkill({
      PreToolUse: [
        { matcher: 'Bash', hooks: [say('bash'), say('git', { if: 'Bash(git *)' })] },
        { matcher: 'Edit|Write', hooks: [say('edit')] },
        { hooks: [say('all')] },
        { matcher: '(?!x)', hooks: [say('unclear')] },
      ],
      PostToolUse: [{ hooks: [say('post')] }],
    });
    const run = async (payload: Record<string, unknown>) =>
      brief(await dispatch('PreToolUse', payload, { skills: [dir] }));
    const problems = ["hook without effect: '(?!x)': its matcher is not a valid pattern"];
    expect(await run({ tool_name: 'Bash', tool_input: { command: 'ls' } })).toMatchObject({
      reasons: ['bash', 'all', 'unclear'],
      problems,
    });
    expect(await run({ tool_name: 'Bash', tool_input: { command: 'git x' } })).toMatchObject({
      reasons: ['bash', 'git', 'all', 'unclear'],
    });
    expect(await run({ tool_name: 'Write' })).toMatchObject({ reasons: ['edit', 'all', 'unclear'] });
  });

  test('those of several skills, in order', async () => {
    const skills = ['a', 'b'].map((name) => makeSkill(on('Stop', say(name)), {}, name));
    const report = await dispatch('Stop', {}, { skills });
    expect([report.reasons, report.results.map(({ skill }) => skill)]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  test.each([
    ['hooks: 7', 'hooks must be a mapping of events, not the number 7'],
    [
      'hooks: {Stop: [{hooks: [{type: nothing}]}]}',
      'type must be one of command, prompt, agent, http, mcp_tool, not the text "nothing"',
    ],
    ['hooks: {"__proto__": [{hooks: [{type: command, command: x}]}]}', undefined],
    ['hooks: [', 'hooks must be a mapping of events, not the text "["'],
  ])('none of a skill with %s', async (line, why) => {
    const dir = makeDirectory({ 'SKILL.md': `---\nname: x\ndescription: y\n${line}\n---\n` });
    const problems = why === undefined ? [] : [`hook without effect: 'x: Stop': it cannot be read: ${why}`];
    expect(brief(await dispatch('Stop', {}, { skills: [dir] }))).toEqual({ ...quiet, problems });
  });

  test('the other hooks of a skill with a broken one, and the guarded action is blocked', async () => {
    const dir = makeSkill({
      PreToolUse: [
        { matcher: 'Bash', hooks: [{ type: 'command' }, command('echo seen; exit 0')] },
        { matcher: 'Write', hooks: [command('exit 0')] },
      ],
      Stop: [{ hooks: [say('done')] }, { hooks: 7 }],
    });
    const why = "it cannot be read: missing 'command'";
    expect(brief(await dispatch('PreToolUse', { tool_name: 'Bash' }, { skills: [dir] }))).toEqual({
      ...quiet,
      decision: 'block',
      reasons: [`'demo: PreToolUse' gave no answer: ${why}`],
      statuses: ['done'],
      problems: [`hook without an answer: 'demo: PreToolUse': ${why}`],
    });
    expect(brief(await dispatch('PreToolUse', { tool_name: 'Write' }, { skills: [dir] }))).toEqual({
      ...quiet,
      statuses: ['done'],
    });
    // A broken hook does not keep an agent from ending its turn.
    expect(brief(await dispatch('Stop', {}, { skills: [dir] }))).toEqual({
      ...quiet,
      decision: 'block',
      reasons: ['done'],
      statuses: ['blocked'],
      problems: [
        "hook without effect: 'demo: Stop': it cannot be read: hooks must be a list of handlers, not the number 7",
      ],
    });
  });

  test('none for an unknown event, which is reported', async () => {
    const report = await dispatch('PreTolUse', { tool_name: 'Bash' }, { skills: [] });
    expect(report.diagnostics).toEqual([
      {
        code: 'W019',
        severity: 'warning',
        message: "unknown hook event 'PreTolUse'",
        help: "did you mean 'PreToolUse'?",
        data: { event: 'PreTolUse' },
      },
    ]);
  });

  test('none of a skill that is gone', async () => {
    const report = await dispatch('Stop', {}, { skills: [join(makeDirectory(), 'gone')] });
    expect(brief(report)).toMatchObject({ ...quiet, problems: [expect.any(String)] });
  });

  test('only those of skills that the user trusts and that are unchanged', async () => {
    const dir = makeSkill(on('Stop', say('x')));
    const home = makeDirectory();
    const run = async () =>
      brief(await dispatch('Stop', {}, { skills: [dir], home, trusted: () => undefined }));
    const untrusted = {
      ...quiet,
      problems: ["hook without effect: 'demo: Stop': you have not trusted this skill"],
    };
    expect(await run()).toEqual(untrusted);
    trustSkill(home, { dir, digest: trustDigest(readSkillGrants(dir, { home })) });
    expect(await run()).toMatchObject({ decision: 'block', reasons: ['x'] });
    const { writeFileSync } = await import('node:fs');
    writeFileSync(join(dir, 'new.sh'), '');
    expect(await run()).toEqual(untrusted);
  });

  test('a guard that cannot run blocks: not trusted, gone, too many, no handler', async () => {
    const guard = (...hooks: unknown[]) => makeSkill(on('PreToolUse', ...hooks));
    const run = async (dir: string, more: Partial<HookOptions> = {}) =>
      brief(await dispatch('PreToolUse', { tool_name: 'Bash' }, { skills: [dir], ...more }));
    const dir = guard(command('exit 0'));
    const why = 'you have not trusted this skill';
    expect(await run(dir, { trusted: () => undefined })).toEqual({
      ...quiet,
      decision: 'block',
      reasons: [
        `'demo: PreToolUse' gave no answer: ${why}; read its hooks, then trust it with 'skc tools ${dir} --trust'`,
      ],
      problems: [`hook without an answer: 'demo: PreToolUse': ${why}`],
    });
    const gone = join(makeDirectory(), 'gone');
    expect(await run(gone)).toMatchObject({ decision: 'block', reasons: [expect.stringContaining(gone)] });
    const many = Array.from({ length: 33 }, (_, n) => command(`exit 0; # ${n}`, { timeout: 600 }));
    expect(await run(guard(...many))).toMatchObject({
      decision: 'block',
      reasons: ["'demo: PreToolUse' gave no answer: 1 handler over the limit of 32"],
    });
    expect(await run(guard({ type: 'prompt', prompt: 'May it?' }))).toEqual({
      ...quiet,
      ...closed('May it?', 'this host does not run hooks of the type prompt'),
    });
    const handlers = { prompt: async () => 'Better not.' };
    expect(await run(guard({ type: 'prompt', prompt: 'May it?' }), { handlers })).toEqual({
      ...quiet,
      ...closed('May it?', 'its answer is not understood'),
    });
    const unasked = [{ label: 'other', why: 'its quiz is not passed' }];
    expect(await run(dir, { unasked })).toMatchObject({
      decision: 'block',
      reasons: ["'other' gave no answer: its quiz is not passed"],
      statuses: ['done'],
    });
  });

  test.each([
    ['no bubblewrap', '/nowhere', 'bubblewrap (bwrap) is not installed'],
    ['no PATH', '', 'no PATH was given to look for bubblewrap (bwrap)'],
  ])('with %s a guard blocks', async (_, PATH, why) => {
    const dir = makeSkill(on('PreToolUse', command('exit 0')));
    const sandbox = () => openSandbox({ env: { PATH } });
    const report = await dispatch('PreToolUse', { tool_name: 'Bash' }, { skills: [dir], sandbox });
    expect(brief(report)).toEqual({ ...quiet, ...closed('exit 0', `sandbox unavailable: ${why}`) });
  });

  test('without a sandbox none runs, and this is reported', async () => {
    const dir = makeSkill(on('Stop', say('x')));
    const sandbox = () => openSandbox({ env: { PATH: makeDirectory() } });
    expect(brief(await dispatch('Stop', {}, { skills: [dir], sandbox }))).toEqual({
      ...quiet,
      statuses: ['failed'],
      problems: [
        "hook without effect: 'echo x >&2; exit 2': sandbox unavailable: bubblewrap (bwrap) is not installed",
      ],
    });
  });

  test('a once hook does not run again, unless it failed', async () => {
    const dir = makeSkill(on('Stop', say('x', { once: true }), command('exit 1', { once: true })));
    const memory = createHookMemory();
    const run = async () => brief(await dispatch('Stop', {}, { skills: [dir], memory })).statuses;
    expect([await run(), await run()]).toEqual([
      ['blocked', 'failed'],
      ['skipped', 'failed'],
    ]);
  });

  test('at most the limit, at once or in the background', async () => {
    const many = (more: object) => Array.from({ length: 34 }, (_, n) => command(`sleep ${60 + n}`, more));
    const memory = createHookMemory();
    const more = { memory, limits: { ...limits, seconds: 0.1 } };
    const now = await dispatch('Stop', {}, { ...more, skills: [makeSkill(on('Stop', ...many({})))] });
    expect([now.results.length, now.diagnostics[0]!.message]).toEqual([
      32,
      "hook without effect: 'demo: Stop': 2 handlers over the limit of 32",
    ]);
    const later = on('Stop', ...many({ async: true, timeout: 60 }).slice(0, 20));
    const skills = ['one', 'two'].map((name) => makeSkill(later, {}, name));
    const { results } = await dispatch('Stop', {}, { ...more, skills });
    await memory.end();
    expect(results.filter(({ status }) => status === 'started').length).toBe(32);
    expect(results.at(-1)).toMatchObject({
      status: 'failed',
      effect: { problem: 'too many hooks are running in the background' },
    });
  });

  test('a payload that is not JSON blocks where that is possible', async () => {
    const dir = makeSkill({ ...on('PreToolUse', say('x')), ...on('Notification', say('x')) });
    const payload: Record<string, unknown> = { tool_name: 'Bash' };
    payload.tool_input = payload;
    const why = 'the payload of the event cannot be written as JSON';
    expect(brief(await dispatch('PreToolUse', payload, { skills: [dir] }))).toEqual({
      ...quiet,
      decision: 'block',
      reasons: [`'PreToolUse' gave no answer: ${why}`],
      problems: [`hook without an answer: 'PreToolUse': ${why}`],
    });
    expect(brief(await dispatch('Notification', payload, { skills: [dir] }))).toMatchObject({
      decision: undefined,
    });
  });
});

describe('in the background', () => {
  test('does not delay the event, and ends with the session', async () => {
    const line = 'echo begun > out/begun; sleep 60; echo done > out/done; exit 2';
    const dir = makeSkill(on('PostToolUse', command(line, { async: true })), { 'out/keep': '' });
    const home = makeDirectory();
    const { rememberGrants } = await import('./grant-memory.ts');
    rememberGrants(home, { dir, digest: readSkillGrants(dir, { home }).digest! }, [
      { kind: 'write', path: 'out' },
    ]);
    const { out } = keptDirectories(readSkillGrants(dir, { home }), { home });
    const memory = createHookMemory();
    onTestFinished(() => memory.end());
    const report = await dispatch('PostToolUse', { tool_name: 'Edit' }, { skills: [dir], home, memory });
    expect(brief(report)).toEqual({ ...quiet, statuses: ['started'] });
    await expect.poll(() => existsSync(out!) && listTree(out!).begun).toBe('begun\n');
    await memory.end();
    expect(listTree(out!)).toEqual({ keep: '', begun: 'begun\n' });
  });
});

describe('handed to the host', () => {
  const hooks = on(
    'Stop',
    { type: 'prompt', prompt: 'Done? $ARGUMENTS \\$ARGUMENTS', model: 'small' },
    { type: 'agent', prompt: 'Check.' },
    { type: 'http', url: 'https://example.com/h', headers: { a: 'b' } },
    {
      type: 'mcp_tool',
      server: 's',
      tool: 't',
      input: { path: `\${tool_input.path}`, n: 1, not: [`\${none}`] },
    },
  );
  const payload = { tool_input: { path: '/x' } };
  const told = { session_id: 's1', cwd: '/project', ...payload, hook_event_name: 'Stop' };

  test('with the payload in it', async () => {
    const dir = makeSkill(hooks);
    const seen: unknown[] = [];
    const take = (answer: unknown) => async (hook: { signal: AbortSignal; skill: unknown }) => {
      const { signal: _, skill: _skill, ...rest } = hook;
      seen.push(rest);
      return answer;
    };
    const handlers = {
      prompt: take('{"ok":false,"reason":"not yet"}'),
      agent: take({ ok: true }),
      http: take(undefined),
      mcp_tool: take({ systemMessage: 'hear' }),
    };
    const report = await dispatch('Stop', payload, { skills: [dir], handlers });
    const json = JSON.stringify(told);
    const common = { event: 'Stop', payload: told };
    expect(seen).toEqual([
      { ...common, prompt: `Done? ${json} $ARGUMENTS`, model: 'small' },
      { ...common, prompt: `Check.\n\n${json}`, model: undefined },
      { ...common, url: 'https://example.com/h', headers: { a: 'b' }, body: json },
      { ...common, server: 's', tool: 't', input: { path: '/x', n: 1, not: [`\${none}`] } },
    ]);
    expect([brief(report), report.messages]).toEqual([
      { ...quiet, decision: 'block', reasons: ['not yet'], statuses: ['blocked', 'done', 'done', 'done'] },
      ['hear'],
    ]);
  });

  test('without a handler, this is reported', async () => {
    const report = await dispatch('Stop', payload, { skills: [makeSkill(hooks)] });
    expect(report.diagnostics.map(({ message }) => message.replace(/^.*': /, ''))).toEqual(
      ['prompt', 'agent', 'http', 'mcp_tool'].map(
        (type) => `this host does not run hooks of the type ${type}`,
      ),
    );
  });

  test('a handler that throws, answers nonsense or never answers has no effect', async () => {
    const prompts = ['throws', 'nonsense', 'never'].map((prompt) => ({
      type: 'prompt',
      prompt,
      timeout: 0.2,
    }));
    const handlers = {
      prompt: async ({ prompt }: { prompt: string }) => {
        if (prompt.startsWith('throws')) throw new Error('no model');
        return prompt.startsWith('never') ? new Promise(() => {}) : { continue: 'perhaps' };
      },
    };
    const report = await dispatch('Stop', {}, { skills: [makeSkill(on('Stop', ...prompts))], handlers });
    expect(brief(report)).toEqual({
      ...quiet,
      statuses: ['failed', 'failed', 'failed'],
      problems: [
        "hook without effect: 'throws': no model",
        "hook without effect: 'nonsense': its answer is not understood",
        "hook without effect: 'never': it took too long",
      ],
    });
  });

  test('the host may cancel it', async () => {
    const dir = makeSkill(on('Stop', command('sleep 60')));
    const controller = new AbortController();
    const running = dispatch('Stop', {}, { skills: [dir], signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(running).rejects.toThrow('gone');
  });
});
