// Switching a skill off or denying it takes away what skc deployed; switching it on puts it back.

import { existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorld } from './make-world.ts';
import { startRpc } from './rpc-client.ts';
import { type SkcOptions, skc } from './run-in-process.ts';

const text = (name: string) =>
  `---\nname: ${name}\ndescription: Fills in forms.\n---\n\n# ${name}\n\nText.\n`;

async function deployed() {
  const { dir, home } = await skc(['build', 'forms', '--target', 'claude'], {
    files: { '.skillc/skills/forms/SKILL.md': text('forms') },
  });
  const run = (words: string[], options: SkcOptions = {}) => skc(words, { cwd: dir, home, ...options });
  return { dir, home, place: join(home, '.claude/skills/forms'), run };
}

test('switching off removes what skc deployed, and switching on puts it back', async () => {
  const { place, run } = await deployed();
  expect(existsSync(place)).toBe(true);
  expect((await run(['info', 'forms', '--json'])).json()).toMatchObject({
    deployed: ['~/.claude/skills/forms'],
  });
  const off = await run(['skills', '--disable', 'forms']);
  expect([off.status, existsSync(place)]).toEqual([0, false]);
  expect(off.stdout).toContain('forms: removed from <home>/.claude/skills/forms');
  const listed = (await run(['list', '--json'])).json() as { skills: { seen_by: string[]; state: string }[] };
  expect(listed.skills.map(({ seen_by, state }) => [seen_by, state])).toEqual([[[], 'off']]);
  const on = await run(['skills', '--enable', 'forms']);
  expect([on.status, existsSync(place), lstatSync(place).isSymbolicLink()]).toEqual([0, true, true]);
  expect(on.stdout).toContain('forms: back in <home>/.claude/skills/forms');
});

test('a denied skill is taken away, and comes back when the rule is gone', async () => {
  const { home, place, run } = await deployed();
  const config = join(home, '.skillc/config.toml');
  mkdirSync(join(home, '.skillc'), { recursive: true });
  writeFileSync(config, '[[permissions.deny]]\ntool = "skill_load"\nskill_name = "forms"\n');
  const fixed = await run(['doctor', '--fix']);
  expect(existsSync(place)).toBe(false);
  expect(fixed.stdout).toContain("'forms' is off or denied, and still in");
  writeFileSync(config, '');
  await run(['doctor', '--fix']);
  expect(existsSync(place)).toBe(true);
});

test('what skc did not deploy stays, and skc says who sees it', async () => {
  const { dir, home, run } = await deployed();
  const own = join(dir, 'own/notes');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'SKILL.md'), text('notes'));
  symlinkSync(own, join(home, '.claude/skills/notes'));
  const { stdout } = await run(['skills', '--disable', 'notes', '--scope', 'user']);
  expect(stdout).toContain('claude still sees notes in <home>/.claude/skills/notes');
  expect(stdout).toContain('rm <home>/.claude/skills/notes');
  expect(existsSync(join(home, '.claude/skills/notes'))).toBe(true);
  const doctor = (await run(['doctor'])).stdout;
  expect(doctor).toContain("'notes' is off or denied, and claude sees it in <home>/.claude/skills/notes\n");
});

test.each([
  ['off', 'disabled = true\n'],
  ['denied', '[[permissions.deny]]\ntool = "skill_load"\nskill_name = "forms"\n'],
])('list, info and doctor agree on a skill that is %s', async (state, rule) => {
  const { home, run } = await deployed();
  if (state === 'off') await run(['skills', '--disable', 'forms', '--scope', 'user']);
  else {
    writeFileSync(join(home, '.skillc/config.toml'), rule);
    await run(['doctor', '--fix']);
  }
  const { skills } = (await run(['list', '--json'])).json() as {
    skills: { state: string; seen_by: string[] }[];
  };
  expect(skills.map((skill) => [skill.state, skill.seen_by])).toEqual([[state, []]]);
  const info = await run(['info', 'forms']);
  expect(info.stdout).toMatch(new RegExp(`^  state +${state}: skc does not offer it to agents$`, 'm'));
  expect(info.stdout).toMatch(/^ {2}seen by +no agent used here$/m);
  expect((await run(['info', 'forms', '--json'])).json()).toMatchObject({ deployed: [] });
  expect((await run(['doctor'])).stdout).not.toMatch(/is off or denied|no agent sees/);
});

test('installing and updating give no agent a skill that is off', async () => {
  const world = makeWorld({ 'source/forms/SKILL.md': text('forms'), '.claude': { directory: true } });
  const place = join(world.project, '.claude/skills/forms');
  const install = ['install', './source/forms', '--target', 'claude', '--scope', 'project', '--yes'];
  await world.run(install);
  expect(existsSync(place)).toBe(true);
  await world.run(['skills', '--disable', 'forms']);
  world.write({ 'source/forms/SKILL.md': `${text('forms')}\nMore.\n` });
  for (const words of [
    ['update', 'forms', '--yes'],
    [...install, '--force'],
    ['install', '--force'],
  ]) {
    const { status, stderr } = await world.run(words);
    expect([words, status, existsSync(place)]).toEqual([words, 0, false]);
    if (stderr.includes('removed from'))
      expect(stderr).toContain('forms: removed from <cwd>/.claude/skills/forms');
  }
  await world.run(['skills', '--enable', 'forms']);
  expect(existsSync(place)).toBe(true);
});

test('rpc and the picker take away and put back what skc deployed', async () => {
  const world = makeWorld({ '.skillc/skills/forms/SKILL.md': text('forms'), '.claude': { directory: true } });
  const place = join(world.project, '.claude/skills/forms');
  await world.run(['build', 'forms', '--target', 'claude', '--scope', 'project']);
  const client = startRpc({ cwd: world.project, home: world.home });
  await client.call('initialize', { trust: true });
  const off = await client.call('skills.setEnabled', { names: ['forms'], enabled: false });
  expect([off.settled, existsSync(place)]).toEqual([
    [{ name: 'forms', removed: [place], restored: [], seen_by: [], fix: null }],
    false,
  ]);
  const on = await client.call('skills.setEnabled', { names: ['forms'], enabled: true });
  expect([on.settled, existsSync(place)]).toMatchObject([[{ name: 'forms', restored: [place] }], true]);
  const [toggle, leave] = ['\u0014', '\u0003'];
  const picked = await world.run(['skills', 'forms'], { keys: `${toggle}${leave}` });
  expect([picked.stderr, existsSync(place)]).toEqual([
    'forms: removed from <cwd>/.claude/skills/forms\n',
    false,
  ]);
  await world.run(['skills', 'forms'], { keys: `${toggle}${leave}` });
  expect(existsSync(place)).toBe(true);
});
