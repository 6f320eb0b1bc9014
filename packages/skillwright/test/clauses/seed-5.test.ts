// Skills Architecture (three tiers), section by section, held against a session as a host opens it.

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSession } from '../../src/host/runtime/create-session.ts';
import type { SessionOptions } from '../../src/host/runtime/session.ts';
import { makeWorld, skillText, type World } from '../make-world.ts';
import { requireProgram } from '../required-program.ts';

const manifest = `---
name: my-skill
description: Brief description of what this skill does and when to use it
license: MIT
compatibility: Requires Node.js 18+
metadata:
  author: Your Name
  version: "1.0.0"
allowed-tools: "Bash(git:*) Read"
---

# My Skill

Instructions for the LLM on how to use this skill.
`;

const skills = {
  '.agents/skills/my-skill/SKILL.md': manifest,
  '.agents/skills/my-skill/scripts/run.sh': 'cat references/examples.md\n',
  '.agents/skills/my-skill/references/examples.md': '# Examples\n',
  '.agents/skills/my-skill/assets/logo.svg': '<svg/>\n',
  '~/.agents/skills/another-skill/SKILL.md': skillText(
    'another-skill',
    '# Another\n',
    'Another skill description',
  ),
};

async function open(world: World, options: Partial<SessionOptions> = {}) {
  const { project: cwd, home } = world;
  const session = await createSession({ cwd, home, trust: true, discovery: { cache: false }, ...options });
  onTestFinished(() => session.close());
  return { session, provider: await session.provider() };
}

test('manifest: name and description are required, the other fields are optional', async () => {
  const world = makeWorld(skills);
  const profiles = ['spec', 'strict'].map((profile) =>
    world.run(['validate', '.agents/skills/my-skill', '--profile', profile]),
  );
  expect((await Promise.all(profiles)).map(({ status }) => status)).toEqual([0, 0]);
  for (const field of ['name', 'description']) {
    world.write({
      '.agents/skills/my-skill/SKILL.md': manifest.replace(new RegExp(`^${field}: .*\n`, 'm'), ''),
    });
    const { status, stdout } = await world.run(['validate', '.agents/skills/my-skill']);
    expect([status, stdout]).toEqual([1, expect.stringContaining(field)]);
  }
});

test('manifest: names, lengths and unknown fields are judged; the strict profile refuses unknown fields', async () => {
  const world = makeWorld(skills);
  const judge = async (text: string, profile: string) => {
    world.write({ '.agents/skills/my-skill/SKILL.md': text });
    return (await world.run(['validate', '.agents/skills/my-skill', '--profile', profile])).status;
  };
  const changed = (from: string | RegExp, to: string) => manifest.replace(from, to);
  for (const name of ['-my-skill', 'my-skill-', 'my--skill', 'My-Skill', 'other-skill', 'a'.repeat(65)])
    expect([name, await judge(changed('name: my-skill', `name: ${name}`), 'strict')]).toEqual([name, 1]);
  const long = [
    changed(/description: .*/, `description: ${'d'.repeat(1025)}`),
    changed(/compatibility: .*/, `compatibility: ${'c'.repeat(501)}`),
    changed('license: MIT', 'colour: blue'),
  ];
  for (const text of long) expect(await judge(text, 'strict')).toBe(1);
  expect(await judge(long[2]!, 'spec')).toBe(0);
});

test('tier 1: about a hundred tokens a skill, in the literal XML', async () => {
  const world = makeWorld(skills);
  const { session, provider } = await open(world);
  expect(provider.getTier1Context()).toBe(`<available_skills>
<skill>
<name>my-skill</name>
<description>Brief description of what this skill does and when to use it</description>
<location>${join(world.project, '.agents/skills/my-skill/SKILL.md')}</location>
</skill>
<skill>
<name>another-skill</name>
<description>Another skill description</description>
<location>${join(world.home, '.agents/skills/another-skill/SKILL.md')}</location>
</skill>
</available_skills>`);
  const { tokens, shown } = await session.prompt();
  expect(tokens / shown).toBeLessThan(150);
});

test('tier 2: the full SKILL.md when the agent activates a skill, and null for none', async () => {
  const { provider } = await open(makeWorld(skills));
  expect([await provider.getTier2Context('my-skill'), await provider.getTier2Context('none')]).toEqual([
    manifest,
    null,
  ]);
});

test('tier 3: scripts, references and assets are listed and read as needed', async () => {
  const { provider } = await open(makeWorld(skills));
  const listed = await Promise.all(
    (['scripts', 'references', 'assets'] as const).map((type) =>
      provider.getTier3ResourceList('my-skill', type),
    ),
  );
  expect(listed).toEqual([['scripts/run.sh'], ['references/examples.md'], ['assets/logo.svg']]);
  expect([
    await provider.getTier3Resource('my-skill', 'references/examples.md'),
    await provider.getTier3Resource('my-skill', 'references/none.md'),
    await provider.getTier3ResourceList('none', 'scripts'),
  ]).toEqual(['# Examples\n', null, []]);
});

test('the provider has the names of the specification, and two to look skills up', async () => {
  const { provider } = await open(makeWorld(skills));
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(provider)).filter(
    (name) => name !== 'constructor',
  );
  expect(methods.toSorted()).toEqual([
    'getSkill',
    'getSkillNames',
    'getTier1Context',
    'getTier2Context',
    'getTier3Resource',
    'getTier3ResourceList',
  ]);
  expect(provider.getSkillNames()).toEqual(['my-skill', 'another-skill']);
  expect([provider.getSkill('another-skill')?.scope, provider.getSkill('none')]).toEqual(['user', undefined]);
});

test('sources: bundled with the agent, of the user, of the project', async () => {
  const world = makeWorld({
    '.agent/skills/ours/SKILL.md': skillText('ours'),
    '~/.agent/skills/mine/SKILL.md': skillText('mine'),
    'agent/bundled/shipped/SKILL.md': skillText('shipped'),
  });
  const { provider } = await open(world, {
    discovery: { cache: false, bundled: [join(world.project, 'agent/bundled')] },
  });
  expect(provider.getSkillNames().map((name) => `${provider.getSkill(name)?.scope}:${name}`)).toEqual([
    'project:ours',
    'user:mine',
    'bundled:shipped',
  ]);
});

test('paths: refused as spelled, and refused again after links are resolved', async () => {
  const world = makeWorld({
    ...skills,
    'sensitive/secret.md': 'secret',
    '.agents/skills/my-skill/references/in.md': 'in',
  });
  const references = join(world.project, '.agents/skills/my-skill/references');
  symlinkSync('../../../../sensitive/secret.md', join(references, 'file.md'));
  symlinkSync('../../../../sensitive', join(references, 'directory'));
  symlinkSync('in.md', join(references, 'inside.md'));
  const { session, provider } = await open(world);
  const before = [
    '../../../etc/passwd',
    '/etc/passwd',
    'references/../../another/SKILL.md',
    '..\\..\\secret.md',
  ];
  const after = ['references/file.md', 'references/directory/secret.md'];
  for (const file of [...before, ...after]) {
    expect([file, await provider.getTier3Resource('my-skill', file)]).toEqual([file, null]);
    await expect(session.readResource({ name: 'my-skill', file })).rejects.toMatchObject({
      code: expect.stringMatching(/^E012|E021$/),
    });
  }
  for (const file of after)
    await expect(session.readResource({ name: 'my-skill', file })).rejects.toMatchObject({ code: 'E012' });
  expect(await provider.getTier3Resource('my-skill', 'references/inside.md')).toBe('in');
  expect(await provider.getTier3ResourceList('my-skill', 'references')).not.toContain('references/file.md');
});

test('planned there, here: toolsets are loaded when the skill is activated', async (context) => {
  requireProgram(context, 'bwrap');
  const world = makeWorld({
    '.agents/skills/greeter/SKILL.md':
      '---\nname: greeter\ndescription: Skill with custom tools\ntoolsets:\n  - "toolsets/index:MyToolset"\n---\n\nGreet.\n',
    '.agents/skills/greeter/toolsets/index.js':
      "export const MyToolset = { tools: { greet: { description: 'Greets.', run: () => 'hello' } } };",
  });
  const { session } = await open(world, { trustsSkill: () => true });
  expect(session.tools()).toEqual([]);
  const { tools } = await session.activate({ name: 'greeter' });
  expect([tools.map(({ name }) => name), await tools[0]!.call({})]).toEqual([['greeter__greet'], 'hello']);
  expect(await session.deactivate({ name: 'greeter' })).toBe(true);
  expect(session.tools()).toEqual([]);
});

test.each([
  ['hello there', { kind: 'keyword', value: 'hello' }],
  ['please wave at them', { kind: 'verb', value: 'wave' }],
  ['greet Ada', { kind: 'pattern', value: 'greet\\s+\\w+' }],
])('planned there, here: %j meets a trigger', async (message, reason) => {
  const text =
    '---\nname: welcome\ndescription: Skill with triggers\ntriggers:\n  keywords: ["hello"]\n  verbs: ["say", "wave"]\n  patterns: ["greet\\\\s+\\\\w+"]\n---\n\nGreet.\n';
  const { session } = await open(makeWorld({ '.agents/skills/welcome/SKILL.md': text }));
  expect(await session.triggers(message)).toMatchObject([
    { skill: { name: 'welcome' }, reasons: [expect.objectContaining(reason)] },
  ]);
  expect(await session.triggers('something else')).toEqual([]);
});

test('planned there, here: scripts run apart, in the skill directory, for 60 seconds and 1 MiB at most', async (context) => {
  requireProgram(context, 'bwrap');
  const world = makeWorld({
    ...skills,
    '.agents/skills/my-skill/scripts/long.sh': 'head -c 2000000 /dev/zero | tr "\\\\0" x\n',
  });
  const { session } = await open(world);
  const { ok, stdout } = await session.runScript({ name: 'my-skill' }, 'run.sh');
  expect([ok, stdout]).toEqual([true, '# Examples\n']);
  const long = await session.runScript({ name: 'my-skill' }, 'long.sh');
  expect([long.ok, long.truncated, long.stdout.length <= 1024 * 1024]).toEqual([false, true, true]);
  const limits = ['scripts.timeout', 'scripts.max_output'].map((key) => world.run(['config', key]));
  expect((await Promise.all(limits)).map(({ stdout: line }) => line)).toEqual([
    'scripts.timeout = 60\n',
    'scripts.max_output = 1048576\n',
  ]);
});
