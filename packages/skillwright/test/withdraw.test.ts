// Switching a skill off or denying it takes away what skc deployed; switching it on puts it back.

import { existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
});
