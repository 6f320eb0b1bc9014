import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeInstalledWorld, remove } from '../../../test/doctor-world.ts';
import { installRequest, makeContext, updateRequest } from '../../../test/install-world.ts';
import { makeRepository } from '../../../test/make-repository.ts';
import { makeWorld, skillText } from '../../../test/make-world.ts';
import { requireProgram } from '../../../test/required-program.ts';
import { runDoctor } from '../../ship/doctor/run-doctor.ts';
import { noConsent } from '../../ship/install/gate/gate.ts';
import { installSkills } from '../../ship/install/install-skills.ts';
import { restoreSkills } from '../../ship/install/restore-skills.ts';
import { updateSkills } from '../../ship/install/update-skills.ts';

const paths = ['agents', 'claude', 'skillc'].map((name) => `  <cwd>/.${name}/skills  2 skills\n`).join('');

test('no problems', async () => {
  const { status, stdout, stderr } = await (await makeInstalledWorld()).run(['doctor']);
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: `search paths\n${paths}\n2 skills; claude, codex; no git; no sandbox\nno problems found\n`,
    stderr: '',
  });
});

test('problems, by group', async () => {
  const world = await makeInstalledWorld();
  remove(world, '.claude/skills/pdf');
  world.write({
    '.claude/skills/e\u001bvil/SKILL.md': skillText('evil'),
    '.claude/skills/far': { link: '/no/where' },
    '.skillc/config.toml': '[nonsense]\na = 1\n',
  });
  const { status, stdout } = await world.run(['doctor']);
  expect(status).toBe(1);
  expect(stdout).toMatchInlineSnapshot(`
    "configuration
      warning  unknown configuration key: <cwd>/.skillc/config.toml:2: nonsense.a
               skc ignores it.
               fix: correct the key, or remove it

    links and copies
      error    'pdf' is missing for claude
               <cwd>/.claude/skills/pdf
               The lock says it is deployed here.
               fix: skc doctor --fix
      warning  the link is broken: /no/where is gone
               <cwd>/.claude/skills/far
               skc did not make it, so it stays.
               fix: remove it, or restore its target

    what agents see
      info     listed under its directory name by Claude Code: 'evil' as 'e\\u001bvil'
               <cwd>/.claude/skills/e\\u001bvil
               The agent does not find it by its own name.
               fix: rename the directory to 'evil', or the skill to 'e\\u001bvil'

    search paths
      <cwd>/.agents/skills  2 skills
      <cwd>/.claude/skills  2 skills
      <cwd>/.skillc/skills  2 skills

    2 skills; claude, codex; no git; no sandbox
    1 error, 2 warnings, 1 note; 'skc doctor --fix' repairs 1
    "
  `);
  const fixed = await world.run(['doctor', '--fix']);
  expect(fixed.status).toBe(0);
  expect(fixed.stdout).toMatchInlineSnapshot(`
    "configuration
      warning  unknown configuration key: <cwd>/.skillc/config.toml:2: nonsense.a
               skc ignores it.
               fix: correct the key, or remove it

    links and copies
      fixed    'pdf' is missing for claude
               <cwd>/.claude/skills/pdf
      warning  the link is broken: /no/where is gone
               <cwd>/.claude/skills/far
               skc did not make it, so it stays.
               fix: remove it, or restore its target

    what agents see
      info     listed under its directory name by Claude Code: 'evil' as 'e\\u001bvil'
               <cwd>/.claude/skills/e\\u001bvil
               The agent does not find it by its own name.
               fix: rename the directory to 'evil', or the skill to 'e\\u001bvil'

    search paths
      <cwd>/.agents/skills  2 skills
      <cwd>/.claude/skills  3 skills
      <cwd>/.skillc/skills  2 skills

    2 skills; claude, codex; no git; no sandbox
    repaired 1 problem; 2 warnings, 1 note
    "
  `);
});

test('the last line after everything was repaired', async () => {
  const world = await makeInstalledWorld();
  remove(world, '.claude/skills/pdf');
  const { status, stdout } = await world.run(['doctor', '--fix']);
  expect(status).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "links and copies
      fixed    'pdf' is missing for claude
               <cwd>/.claude/skills/pdf

    search paths
      <cwd>/.agents/skills  2 skills
      <cwd>/.claude/skills  2 skills
      <cwd>/.skillc/skills  2 skills

    2 skills; claude, codex; no git; no sandbox
    repaired 1 problem; no problems left
    "
  `);
});

test('--scope project fails outside a project', async () => {
  const world = makeWorld();
  const { status, stderr } = await world.run(['doctor', '--scope', 'project'], { cwd: world.root });
  expect(status).toBe(1);
  expect(stderr).toContain('error[E100]: not inside a project');
});

test('an empty machine stays empty', async () => {
  const world = makeWorld();
  rmSync(join(world.project, '.skillc'), { recursive: true });
  for (const words of [['doctor'], ['doctor', '--fix']]) {
    const { status, stdout } = await world.run(words);
    expect([status, stdout]).toEqual([0, '0 skills; no agents; no git; no sandbox\nno problems found\n']);
  }
  expect(world.list()).toEqual({ home: '/', project: '/' });
});

test('a repository for two agents: pinned, deleted, restored, edited, updated, and the doctor finds no problems', async (context) => {
  requireProgram(context, 'git');
  const lines = (version: number) =>
    Array.from({ length: 30 }, (_, at) => `Line ${at}.`).with(2, `Version ${version}.`);
  const skill = (name: string, version: number) =>
    skillText(name, `# ${name}\n\n${lines(version).join('\n')}\n`);
  const repository = makeRepository({
    'skills/pdf/SKILL.md': skill('pdf', 1),
    'skills/docx/SKILL.md': skill('docx', 1),
  });
  const world = makeWorld();
  world.write({ '~/bin/skc': '#!/bin/sh\n' });
  chmodSync(join(world.home, 'bin/skc'), 0o755);
  const PATH = `${join(world.home, 'bin')}:${process.env.PATH}`;
  const place = makeContext(world, {}, { PATH });
  const doctor = async () => (await runDoctor({ fix: false }, place)).findings;

  const source = `git+${repository.url}`;
  await installSkills({ ...installRequest, source, targets: ['claude', 'codex'], pin: true }, place);
  expect(await doctor()).toEqual([]);
  const before = world.list(world.project);

  for (const path of ['.skillc/skills', '.skillc/runtime', '.claude', '.agents']) remove(world, path);
  rmSync(join(world.home, '.skillc'), { recursive: true });
  expect((await doctor()).map(({ check, subject }) => [check, subject])).toEqual([
    ['missing-skill', join(world.project, '.skillc/skills/docx')],
    ['missing-skill', join(world.project, '.skillc/skills/pdf')],
  ]);
  const restored = await restoreSkills({ offline: false, force: false, ...noConsent, dryRun: false }, place);
  expect(restored.skills.map(({ name, status }) => [name, status])).toEqual([
    ['docx', 'restored'],
    ['pdf', 'restored'],
  ]);
  expect(Object.keys(world.list(world.project))).toEqual(Object.keys(before));
  expect(await doctor()).toEqual([]);

  const mine = lines(1).with(25, 'My own line.').join('\n');
  world.write({ '.skillc/skills/pdf/SKILL.md': skillText('pdf', `# pdf\n\n${mine}\n`) });
  expect((await doctor()).map(({ check }) => check)).toEqual(['drift', 'stale-build']);
  repository.commit({ 'skills/pdf/SKILL.md': skill('pdf', 2), 'skills/docx/SKILL.md': skill('docx', 2) });
  await updateSkills({ ...updateRequest, unpin: true }, place);
  const text = world.read('.skillc/skills/pdf/SKILL.md');
  expect([text.includes('Version 2.'), text.includes('My own line.')]).toEqual([true, true]);
  expect(await doctor()).toEqual([]);
});
