import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { demoSkill, installRequest, makeContext, outcomeOf } from '../../../../test/install-world.ts';
import { makeDirectory, type Tree, writeTree } from '../../../../test/make-directory.ts';
import { listTree } from '../../../../test/make-world.ts';
import { installSkills } from '../install-skills.ts';
import { renderLock } from '../lock/lock.ts';
import { verifySkills } from '../verify-skills.ts';

function makeScene(tree: Tree = {}) {
  const root = makeDirectory({
    'project/.skillc': { directory: true },
    home: { directory: true },
    'outside/demo/precious.txt': 'mine\n',
    'outside/empty': { directory: true },
    ...demoSkill(1, 'source'),
    ...tree,
  });
  const scene = { root, project: join(root, 'project'), home: join(root, 'home') };
  const install = () =>
    outcomeOf(installSkills({ ...installRequest, source: join(root, 'source') }, makeContext(scene)));
  return { ...scene, install };
}

const outside = ({ root }: { root: string }) => listTree(join(root, 'outside'));

describe('planted files in a third-party project', () => {
  test.each([
    ['the store points outside', '.skillc/skills', '../../outside/empty'],
    ['compiled skills point outside', '.skillc/runtime', '../../outside'],
    ['the workplace points outside', '.skillc/.install', '../../outside'],
    ['the process lock points outside', '.skillc/.install/lock', '../../../outside/new'],
    ["an agent's directory points outside", '.claude', '../outside'],
  ])('%s', async (_, place, target) => {
    const scene = makeScene({ [`project/${place}`]: { link: target } });
    const before = outside(scene);
    expect(String(await scene.install()).slice(0, 4)).toBe('E016');
    expect(outside(scene)).toEqual(before);
    expect(existsSync(join(scene.project, '.skillc/lock.json'))).toBe(false);
  });

  test('a pipe in place of the process lock', async () => {
    const scene = makeScene({ 'project/.skillc/.install': { directory: true } });
    expect(spawnSync('mkfifo', [join(scene.project, '.skillc/.install/lock')]).status).toBe(0);
    expect(await scene.install()).toMatch(/^E016 .*it is not an empty file/);
  });

  test('a foreign database in place of the process lock', async () => {
    const scene = makeScene({ 'project/.skillc/.install/lock': 'SQLite format 3\0' });
    expect(await scene.install()).toMatch(/^E016 .*it is not an empty file/);
  });
});

describe('a journal that skc did not write', () => {
  const id = 'tx-0123456789abcdef';
  const journal = (change: { arrives: boolean; leaves: boolean }, after = renderLock({ skills: {} })) =>
    `${JSON.stringify({ version: 1, id, before: null, after, skills: [{ name: 'demo', keep: null, ...change }] })}\n`;
  const verify = async (scene: { project: string; home: string }) => {
    const context = makeContext(scene);
    const outcome = await outcomeOf(verifySkills({ skills: [] }, context));
    return { outcome, said: context.said };
  };
  const skillsIn = ({ project }: { project: string }) => listTree(join(project, '.skillc/skills'));

  test.each([
    ['removes a skill', 'journal.json', { arrives: false, leaves: true }],
    ['rolls back a skill', 'journal-back.json', { arrives: true, leaves: false }],
  ])("that %s: the user's files are kept", async (_, file, change) => {
    const scene = makeScene({
      'project/.skillc/skills/demo/SKILL.md': 'mine\n',
      [`project/.skillc/.install/${file}`]: journal(change),
    });
    const { outcome, said } = await verify(scene);
    expect(outcome).toEqual([]);
    const kept = '.demo.bak-20260102T030405Z';
    expect(skillsIn(scene)).toEqual({ [kept]: '/', [`${kept}/SKILL.md`]: 'mine\n' });
    expect(said).toEqual([
      `demo: an interrupted command would have removed its directory; it is kept at ${join(scene.project, '.skillc/skills', kept)}`,
    ]);
  });

  test.each([
    ['brings something from outside', 'new', { arrives: true, leaves: false }],
    ['takes something outside', 'old', { arrives: false, leaves: true }],
  ])('that %s', async (_, way, change) => {
    const scene = makeScene({
      'project/.skillc/skills/other/SKILL.md': 'mine\n',
      'project/.skillc/.install/journal.json': journal(change),
    });
    mkdirSync(join(scene.project, '.skillc/.install', id));
    symlinkSync(join(scene.root, 'outside'), join(scene.project, '.skillc/.install', id, way));
    const before = { outside: outside(scene), skills: skillsIn(scene) };
    expect((await verify(scene)).outcome).toMatch(/^E016 .*it is a link/);
    expect({ outside: outside(scene), skills: skillsIn(scene) }).toEqual(before);
  });

  test('in a project whose store points outside', async () => {
    const scene = makeScene({
      'project/.skillc/skills': { link: '../../outside' },
      'project/.skillc/.install/journal.json': journal({ arrives: false, leaves: true }),
    });
    const before = outside(scene);
    expect((await verify(scene)).outcome).toMatch(/^E016 .*it leads out of the project/);
    expect(outside(scene)).toEqual(before);
  });

  test('that is not a journal stops commands until it is removed, and changes nothing', async () => {
    const scene = makeScene();
    expect(typeof (await scene.install())).toBe('object');
    writeTree(scene.project, { '.skillc/.install/journal.json': 'junk' });
    const before = readFileSync(join(scene.project, '.skillc/lock.json'), 'utf8');
    expect((await verify(scene)).outcome).toMatch(/^E015 .*not a transaction journal/);
    expect(readFileSync(join(scene.project, '.skillc/lock.json'), 'utf8')).toBe(before);
    rmSync(join(scene.project, '.skillc/.install/journal.json'));
    expect((await verify(scene)).outcome).toMatchObject([{ name: 'demo', ok: true }]);
  });

  test('an edit made after a crash survives the recovery', async () => {
    const scene = makeScene();
    await scene.install();
    const lock = readFileSync(join(scene.project, '.skillc/lock.json'), 'utf8');
    writeFileSync(join(scene.project, '.skillc/skills/demo/SKILL.md'), 'edited\n');
    const crashed = { ...JSON.parse(journal({ arrives: false, leaves: true })), before: lock };
    writeTree(scene.project, { '.skillc/.install/journal.json': JSON.stringify(crashed) });
    expect((await verify(scene)).outcome).toEqual([]);
    expect(skillsIn(scene)).toMatchObject({ '.demo.bak-20260102T030405Z/SKILL.md': 'edited\n' });
  });
});
