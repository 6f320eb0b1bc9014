// Scripts as a tool: what a model may say, what it may not, and what it is told.

import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { trustDigest, trustSkill } from '../src/guard/execute/grant-memory.ts';
import { readSkillGrants } from '../src/guard/execute/skill-access.ts';
import { connect, makePlace } from './mcp-client.ts';
import { requireProgram } from './required-program.ts';

beforeEach((context) => requireProgram(context, 'bwrap'));

const skill = '.skillc/skills/demo';
const files = {
  [`${skill}/SKILL.md`]: '---\nname: demo\ndescription: x\nmetadata:\n  sandbox: network\n---\n',
  [`${skill}/scripts/a.sh`]: '# Does a.\necho "a $*"; echo err >&2; exit $1\n',
  [`${skill}/scripts/slow.sh`]: 'sleep 60\n',
  [`${skill}/scripts/flood.sh`]: 'yes | head -c 900000; exit 3\n',
};

async function open(more: Record<string, string> = {}) {
  const { client } = await connect(makePlace({ ...files, ...more }));
  return async (name: string, args: Record<string, unknown>) => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
    return { text: (content as { text: string }[])[0]!.text, data: structuredContent, isError };
  };
}

const told =
  "warning[W070]: not granted to the skill: network\nhelp: the user can grant it on the command line: --grant 'network'\n";

test('a script runs, and what it had to do without is told', async () => {
  const call = await open();
  expect(await call('skc_run', { skill: 'demo', script: 'a', args: ['0', '; id'] })).toEqual({
    text: `a 0 ; id\n${told}err\n`,
    data: {
      ok: true,
      exitCode: 0,
      truncated: false,
      timedOut: false,
      durationMs: expect.any(Number),
      sandbox: 'bubblewrap',
      warnings: [
        {
          code: 'W070',
          message: 'not granted to the skill: network',
          help: "the user can grant it on the command line: --grant 'network'",
        },
      ],
    },
    isError: undefined,
  });
  expect((await call('skc_scripts', { skill: 'demo', script: 'a' })).text).toBe('Does a.\n');
});

test('one that fails is an error with what it printed, within what a model takes in at once', async () => {
  const call = await open();
  const failed = await call('skc_run', { skill: 'demo', script: 'a', args: ['4'] });
  expect(failed).toMatchObject({
    isError: true,
    data: { error: { code: 'E073', data: { exitCode: 4, stdout: 'a 4\n' } } },
  });
  expect(failed.text).toContain(
    "error[E073]: script failed: 'a'\n--- stdout\na 4\n--- stderr\nerr\nhelp: it ended with status 4\n",
  );
  const flooded = await call('skc_run', { skill: 'demo', script: 'flood' });
  expect(flooded).toMatchObject({ isError: true, data: { error: { code: 'E073' } } });
  expect(JSON.stringify(flooded).length).toBeLessThan(250_000);
});

test('a model can neither grant, nor leave the sandbox, nor raise the time', async () => {
  const call = await open({ '~/.skillc/config.toml': '[scripts]\ntimeout = 1\n' });
  for (const more of [{ grant: ['network'] }, { unsandboxed: true }, { author: true }])
    expect(await call('skc_run', { skill: 'demo', script: 'a', ...more })).toMatchObject({
      isError: true,
      data: { error: { code: 'E018' } },
    });
  expect(await call('skc_run', { skill: 'demo', script: 'slow', timeout: 1000 })).toMatchObject({
    isError: true,
    data: { error: { code: 'E071', data: { timedOut: true } } },
  });
});

test('tools of a skill the user trusts are called, and a model cannot trust one', async () => {
  const place = makePlace({
    [`${skill}/SKILL.md`]: '---\nname: demo\ndescription: x\ntoolsets: ["toolsets/index:T"]\n---\n',
    [`${skill}/toolsets/index.js`]:
      "export const T = { tools: { twice: { description: 'Twice.', input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }, run: ({ n }) => n * 2 } } };\n",
  });
  const { client } = await connect(place);
  const call = async (args: Record<string, unknown>) =>
    (await client.callTool({ name: 'skc_tools', arguments: { skill: 'demo', ...args } })).structuredContent;
  const twice = { tool: 'twice', input: '{"n":21}' };
  expect(await call(twice)).toMatchObject({ error: { code: 'E080' } });
  for (const more of [{ trust: true }, { distrust: true }, { unsandboxed: true }, { author: true }])
    expect(await call({ ...twice, ...more })).toMatchObject({ error: { code: 'E018' } });
  const grants = readSkillGrants(join(place.cwd, skill), place);
  trustSkill(place.home, { dir: grants.dir, digest: trustDigest(grants) });
  expect(await call({})).toMatchObject({ trusted: true, tools: [{ name: 'demo__twice' }] });
  expect(await call(twice)).toMatchObject({ result: 42 });
  expect(await call({ ...twice, input: '{"n":"x"}' })).toMatchObject({ error: { code: 'E075' } });
});

test('rules hold, and a skill for users alone is not run by a model', async () => {
  const denied = await open({ '~/.skillc/config.toml': '[[permissions.deny]]\ntool = "skill_run"\n' });
  expect(await denied('skc_run', { skill: 'demo', script: 'a' })).toMatchObject({
    data: { error: { code: 'E060' } },
  });
  const confirmed = await open({ '~/.skillc/config.toml': '[[permissions.confirm]]\ntool = "skill_run"\n' });
  expect(await confirmed('skc_run', { skill: 'demo', script: 'a' })).toMatchObject({
    data: { error: { code: 'E061' } },
  });
  const own = await open({
    [`${skill}/SKILL.md`]: '---\nname: demo\ndescription: x\ndisable-model-invocation: true\n---\n',
  });
  expect(await own('skc_run', { skill: 'demo', script: 'a' })).toMatchObject({
    data: { error: { code: 'E060' } },
  });
  expect(await own('skc_scripts', { skill: 'demo', script: 'slow' })).toMatchObject({
    data: { error: { code: 'E060' } },
  });
});

test('what a script prints is in its result and in no log message', async () => {
  const said: unknown[] = [];
  const { client } = await connect(makePlace(files), {
    setUp: (made) =>
      made.setNotificationHandler('notifications/message', ({ params }) => void said.push(params.data)),
  });
  await client.setLoggingLevel('debug');
  const args = { skill: 'demo', script: 'a', args: ['0', 'hunter2'] };
  const { content } = await client.callTool({ name: 'skc_run', arguments: args });
  expect((content as { text: string }[])[0]!.text).toBe(`a 0 hunter2\n${told}err\n`);
  await expect
    .poll(() => said)
    .toEqual(['W070: not granted to the skill: network', expect.stringMatching(/^skc_run: \d+ ms$/)]);
});
