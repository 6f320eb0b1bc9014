import { beforeEach, expect, test } from 'vitest';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import { requireProgram } from '../../../test/required-program.ts';
import { limitsOf } from '../../guard/execute/limits.ts';
import { openSandbox } from '../../guard/execute/open-sandbox.ts';
import { runDynamicIn } from '../../guard/execute/run-script.ts';
import { defaultConfig } from '../../skill/config/default-config.ts';
import type { PermissionRules } from '../../skill/workspace/permissions.ts';
import { sessionTools } from '../adapters/session-tools.ts';
import { createSession } from './create-session.ts';
import type { SessionOptions } from './session.ts';

beforeEach((context) => requireProgram(context, 'bwrap'));

const env = { PATH: process.env.PATH ?? '' };
const skill = '.agents/skills/demo';

function open(permissions: PermissionRules = {}, more: Partial<SessionOptions> = {}) {
  const world = makeWorld({
    [`${skill}/SKILL.md`]: skillText('demo', 'Now: !`echo from the sandbox; ls`\n'),
    [`${skill}/scripts/a.sh`]: '# Does a.\necho "a $*"; cat; exit $1\n',
    [`${skill}/scripts/slow.sh`]: 'sleep 60\n',
  });
  return createSession({ cwd: world.project, home: world.home, env, trust: true, permissions, ...more });
}

test('a session lists and runs the scripts of its skills', async () => {
  const session = await open();
  expect(await session.listScripts({ name: 'demo' })).toEqual([
    { name: 'a.sh', path: 'scripts/a.sh', interpreters: ['bash', 'sh'], summary: 'Does a.' },
    { name: 'slow.sh', path: 'scripts/slow.sh', interpreters: ['bash', 'sh'], summary: '' },
  ]);
  expect(await session.runScript({ name: 'demo' }, 'a', { args: ['3', 'x'], stdin: 'in' })).toEqual({
    ok: false,
    exitCode: 3,
    stdout: 'a 3 x\nin',
    stderr: '',
    truncated: false,
    timedOut: false,
    durationMs: expect.any(Number),
    sandbox: 'bubblewrap',
  });
});

test('the time limit applies, and never exceeds the configured one', async () => {
  const config = { ...defaultConfig, scripts: { ...defaultConfig.scripts, timeout: 1 } };
  const session = await open({}, { config });
  for (const timeout of [0.2, 1000])
    expect(await session.runScript({ name: 'demo' }, 'slow', { timeout })).toMatchObject({
      ok: false,
      timedOut: true,
    });
});

test('rules for running apply to the skill that was found', async () => {
  const rule = { tool: 'skill_run', skill_name: 'demo' };
  const denied = await open({ deny: [rule] });
  for (const reference of [{ name: 'demo' }, { path: skill }])
    await expect(denied.runScript(reference, 'a')).rejects.toMatchObject({ code: 'E060' });
  expect((await denied.load({ name: 'demo' })).status).toBe('loaded');

  const asked = await open({ confirm: [rule] });
  await expect(asked.runScript({ name: 'demo' }, 'a')).rejects.toMatchObject({ code: 'E061' });
  expect((await asked.runScript({ name: 'demo' }, 'a', { confirmed: true })).ok).toBe(true);
  expect((await asked.runScript({ name: 'demo' }, 'a')).ok).toBe(true);

  const unloadable = await open({ deny: [{ tool: 'skill_load', skill_name: 'demo' }] });
  await expect(unloadable.runScript({ name: 'demo' }, 'a')).rejects.toMatchObject({ code: 'E060' });
  await expect((await open()).runScript({ name: 'nobody' }, 'a')).rejects.toMatchObject({ code: 'E001' });
});

test('a script of a nested skill is that skill, however it is spelled or reached', async () => {
  const world = makeWorld({
    [`${skill}/SKILL.md`]: skillText('demo'),
    [`${skill}/scripts/a.sh`]: '# Does a.\necho ran\n',
    [`${skill}/scripts/inner/SKILL.md`]: skillText('inner'),
    [`${skill}/scripts/inner/x.sh`]: '# Does x.\necho ran\n',
    [`${skill}/scripts/link.sh`]: { link: 'inner/x.sh' },
  });
  const permissions = { deny: [{ tool: 'skill_load', skill_name: 'inner' }] };
  const session = await createSession({
    cwd: world.project,
    home: world.home,
    env,
    trust: true,
    permissions,
  });
  for (const word of ['inner/x', 'inner/x.sh', 'scripts/inner/x.sh', 'link', 'link.sh'])
    await expect(session.runScript({ name: 'demo' }, word), word).rejects.toMatchObject({
      code: 'E060',
      message: "denied by permission rule: 'inner'",
    });
  expect(await session.runScript({ name: 'demo' }, 'a')).toMatchObject({ ok: true, stdout: 'ran\n' });
  expect((await session.listScripts({ name: 'demo' })).map(({ path }) => path)).toEqual(['scripts/a.sh']);
});

test('the host may provide its own sandbox', async () => {
  const session = await open({}, { sandbox: await openSandbox({ env, unsandboxed: true }) });
  expect((await session.runScript({ name: 'demo' }, 'a')).sandbox).toBe('none');
});

test('commands in a text run in the sandbox if the host allows it', async () => {
  const home = makeWorld().home;
  const runDynamic = runDynamicIn(await openSandbox({ env }), { home, env, limits: limitsOf(defaultConfig) });
  const { body, dynamic } = await (await open({}, { runDynamic })).plan({ name: 'demo' });
  expect([body, dynamic]).toEqual(['Now: from the sandbox\nSKILL.md\nscripts', []]);
  const left = await (await open()).plan({ name: 'demo' });
  expect([left.body, left.diagnostics[0]?.code]).toEqual(['Now: !`echo from the sandbox; ls`', 'W005']);
});

test('a model gets the output of a script, or why it did not run', async () => {
  const session = await open();
  const tool = sessionTools.find(({ name }) => name === 'skill_run')!;
  const run = (input: object) => tool.execute(session, { name: 'demo', ...input });
  expect(await run({ script: 'a', args: ['0', '<skill_context>'] })).toBe('a 0 &lt;skill_context>');
  expect(await run({ script: 'a', args: ['5'] })).toBe('[The script failed: status 5.]\na 5');
  expect(await run({ script: 'slow', timeout: 0.2 })).toBe('[The script failed: it ran too long.]');
  expect(await run({ script: '../x' })).toBe("error[E012]: path escapes skill root: '../x'");
  expect(await run({ script: 'b' })).toBe(
    "error[E070]: script not found: 'b'\nhelp: available: a.sh, slow.sh",
  );
});
