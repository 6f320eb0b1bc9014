// Skills Spec (discovery, search, context loading), sections 5 to 10: the rules behind the acceptance conditions.

import { symlinkSync, utimesSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSession } from '../../src/host/runtime/create-session.ts';
import type { SessionOptions } from '../../src/host/runtime/session.ts';
import { makeWorld, skillText, type World } from '../make-world.ts';

const skill = (name: string, description: string, body = `# ${name}\n`) => skillText(name, body, description);

async function open({ project: cwd, home }: World, options: Partial<SessionOptions> = {}) {
  const session = await createSession({ cwd, home, trust: true, discovery: { cache: false }, ...options });
  onTestFinished(() => session.close());
  return session;
}

test('5.1: .agents/skills from the root to the working directory and of the user, and what agents keep beside it', async () => {
  const world = makeWorld({
    '.agents/skills/own/SKILL.md': skill('own', 'Here'),
    '.claude/skills/foreign/SKILL.md': skill('foreign', 'For another agent'),
    '.windsurf/skills/unread/SKILL.md': skill('unread', 'Read on request'),
    'skills/loose/SKILL.md': skill('loose', 'Nowhere'),
    '~/.agents/skills/mine/SKILL.md': skill('mine', 'Of the user'),
  });
  const { skills } = await (await open(world)).catalog();
  expect(skills.map(({ name }) => name)).toEqual(['foreign', 'own', 'mine']);
});

test('5.2: the root is what the environment names, else a marker', async () => {
  const world = makeWorld({
    'a/.git/.keep': '',
    'a/.agents/skills/inner/SKILL.md': skill('inner', 'In the repository'),
    '.agents/skills/outer/SKILL.md': skill('outer', 'Around it'),
    'a/b/.keep': '',
  });
  const cwd = join(world.project, 'a/b');
  const namesFrom = async (env: Record<string, string>) =>
    (await (await open(world, { cwd, env: { PATH: '', ...env } })).catalog()).skills.map(({ name }) => name);
  expect(await namesFrom({ SKC_AGENTS_ROOT: world.project })).toEqual(['inner', 'outer']);
  expect(await namesFrom({ SKC_AGENTS_ROOT: join(world.project, 'a') })).toEqual(['inner']);
});

test('5.3: without name or description a skill is an error; a name unlike its directory is a warning', async () => {
  const world = makeWorld({
    '.agents/skills/no-name/SKILL.md': '---\ndescription: D.\n---\n',
    '.agents/skills/no-description/SKILL.md': '---\nname: no-description\n---\n',
    '.agents/skills/place/SKILL.md': skill('Another Name', 'Elsewhere'),
  });
  const { skills, errors } = await (await open(world)).catalog();
  expect(errors.map(({ path, message }) => [path.split('/').at(-2), message])).toEqual([
    ['no-description', "missing frontmatter field 'description' in SKILL.md"],
    ['no-name', "missing frontmatter field 'name' in SKILL.md"],
  ]);
  expect(skills.map(({ name }) => name)).toEqual(['place']);
});

test('5.4: a skill is its real path; skills of one name all stay', async () => {
  const world = makeWorld({
    '.agents/skills/a/twin/SKILL.md': skill('twin', 'One'),
    '.agents/skills/b/twin/SKILL.md': skill('twin', 'Other'),
  });
  symlinkSync('a/twin', join(world.project, '.agents/skills/linked'));
  const { skills } = await (await open(world)).catalog();
  expect(skills.map(({ path }) => path)).toEqual(
    ['a', 'b'].map((dir) => join(world.project, '.agents/skills', dir, 'twin/SKILL.md')),
  );
});

test('5.5: exact path, exact name, prefix, words; then the project before the user, then by path', async () => {
  const world = makeWorld({
    '.agents/skills/report/SKILL.md': skill('report', 'Makes a table'),
    '.agents/skills/report-card/SKILL.md': skill('report-card', 'Makes a card'),
    '.agents/skills/z-words/SKILL.md': skill('z-words', 'Writes a report'),
    '~/.agents/skills/a-words/SKILL.md': skill('a-words', 'Writes a report'),
  });
  const session = await open(world);
  const { results } = await session.search({ query: 'report' });
  expect(results.map(({ skill: { name }, reason }) => [name, reason])).toEqual([
    ['report', 'exact_name'],
    ['report-card', 'prefix'],
    ['z-words', 'token_overlap'],
    ['a-words', 'token_overlap'],
  ]);
  const { path } = results[2]!.skill;
  expect((await session.search({ query: path })).results[0]).toMatchObject({
    skill: { path },
    reason: 'exact_path',
  });
});

test('6.1: the list has name, description, path and scope, and says when it is not all', async () => {
  const world = makeWorld({
    '.agents/skills/repo-review/SKILL.md': skill('repo-review', 'Review PR', 'Secret body.\n'),
    '~/.agents/skills/own/SKILL.md': skill('own', 'Of the user'),
  });
  const whole = await (await open(world)).prompt({ renderer: 'skills-context' });
  expect(whole.text).toContain(`<skills_catalog scope="initial" truncated="false">
  <skill>
    <name>repo-review</name>
    <description>Review PR</description>
    <path>${join(world.project, '.agents/skills/repo-review/SKILL.md')}</path>
    <scope>repo</scope>
  </skill>`);
  expect(whole.text).not.toContain('Secret body.');
  const cut = await (await open(world)).prompt({ renderer: 'skills-context', budgets: { entries: 1 } });
  expect([cut.shown, cut.missing]).toEqual([1, 1]);
  expect(cut.text).toContain('truncated="true"');
  expect(cut.text).toContain('skill_search');
});

test('6.3: a text that the model has is not sent again; what counts is the content, not the time', async () => {
  const world = makeWorld({ '.agents/skills/own/SKILL.md': skill('own', 'Here', 'One.\n') });
  const session = await open(world);
  const file = join(world.project, '.agents/skills/own/SKILL.md');
  const first = await session.load({ name: 'own' });
  utimesSync(file, new Date(0), new Date(0));
  const touched = await session.load({ path: file });
  world.write({ '.agents/skills/own/SKILL.md': skill('own', 'Here', 'Two.\n') });
  const edited = await session.load({ path: file });
  expect([first.status, touched.status, edited.status]).toEqual(['loaded', 'already-loaded', 'loaded']);
  expect(touched.text).toContain(file);
});

test('7: search answers with count and truncated, load takes a path before a name', async () => {
  const world = makeWorld({
    '.agents/skills/own/SKILL.md': skill('own', 'Same words'),
    '.agents/skills/other/SKILL.md': skill('other', 'Same words'),
  });
  const session = await open(world);
  expect(await session.search({ query: 'same words', limit: 1 })).toMatchObject({
    count: 1,
    truncated: true,
    incomplete: false,
  });
  const path = join(world.project, '.agents/skills/other/SKILL.md');
  expect((await session.load({ name: 'own', path })).metadata).toEqual({
    skill_id: expect.any(String),
    name: 'other',
    path,
    dir: join(world.project, '.agents/skills/other'),
    mtime_ms: expect.any(Number),
  });
});

test('8.1: deny before allow before confirm, by name or for the whole tool', async () => {
  const world = makeWorld({
    ...Object.fromEntries(
      ['denied', 'allowed', 'asked'].map((name) => [`.agents/skills/${name}/SKILL.md`, skill(name, name)]),
    ),
    '~/.skillc/config.toml': `[[permissions.deny]]
tool = "skill_load"
skill_name = "denied"
[[permissions.allow]]
tool = "skill_load"
skill_name = "denied"
[[permissions.allow]]
tool = "skill_load"
skill_name = "allowed"
[[permissions.confirm]]
tool = "skill_load"
`,
  });
  const answers = await Promise.all(
    ['denied', 'allowed', 'asked'].map(async (name) =>
      (await open(world)).load({ name }).then(
        ({ status }) => status,
        ({ code }) => code,
      ),
    ),
  );
  expect(answers).toEqual(['E060', 'loaded', 'E061']);
});

test('8.2: only paths of the catalog, nothing outside of a skill, and bounded lists', async () => {
  const files = Array.from({ length: 600 }, (_, index) => [`.agents/skills/own/references/${index}.md`, 'x']);
  const world = makeWorld({
    '.agents/skills/own/SKILL.md': skill('own', 'Here'),
    ...Object.fromEntries(files),
    'elsewhere/SKILL.md': skill('elsewhere', 'Not in the catalog'),
  });
  const session = await open(world);
  await expect(session.load({ path: join(world.project, 'elsewhere/SKILL.md') })).rejects.toMatchObject({
    code: 'E001',
  });
  await expect(
    session.readResource({ name: 'own', file: '../../../elsewhere/SKILL.md' }),
  ).rejects.toMatchObject({
    code: 'E012',
  });
  const { text, truncated } = await session.load({ name: 'own' });
  expect([truncated, text.split('<file').length - 1 < 600]).toEqual([true, true]);
  expect((await session.listResources({ name: 'own' })).total).toBe(600);
});

test('9: enabled, the budget of the list and the limits of a search are configured', async () => {
  const world = makeWorld({
    ...Object.fromEntries(
      ['a', 'b', 'c'].map((name) => [`.agents/skills/${name}/SKILL.md`, skill(name, 'Same words')]),
    ),
    '~/.skillc/config.toml': '[search]\ndefault_limit = 1\nmax_limit = 2\n[catalog]\nmax_entries = 1\n',
  });
  const session = await open(world);
  const [usual, most] = [
    await session.search({ query: 'words' }),
    await session.search({ query: 'words', limit: 9 }),
  ];
  expect([usual.count, most.count, (await session.prompt()).shown]).toEqual([1, 2, 1]);
  world.write({ '~/.skillc/config.toml': '[skills]\nenabled = false\n' });
  expect((await (await open(world)).catalog()).skills).toEqual([]);
});

test('12: a session opens no connection', async () => {
  const connect = vi.spyOn(Socket.prototype, 'connect');
  const fetched = vi.spyOn(globalThis, 'fetch');
  const session = await open(makeWorld({ '.agents/skills/own/SKILL.md': skill('own', 'Here') }));
  await session.prompt();
  await session.search({ query: 'something that nobody has' });
  await session.triggers('Install it from https://example.com');
  await session.mentions('[$own](https://example.com/own/SKILL.md)');
  await session.load({ name: 'own' });
  await expect(session.load({ path: 'https://example.com/own/SKILL.md' })).rejects.toMatchObject({
    code: 'E001',
  });
  expect([connect.mock.calls, fetched.mock.calls]).toEqual([[], []]);
});
