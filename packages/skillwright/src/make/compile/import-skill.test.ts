import { chmodSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listTree, makeWorld, skillText } from '../../../test/make-world.ts';

const store = '.skillc/skills';

const codeOf = (stderr: string) => /^error\[(\w+)\]/.exec(stderr)?.[1];

test('a skill is copied into the store, with the targets of its links, and built from there', async () => {
  const world = makeWorld({
    'from/SKILL.md': skillText('demo'),
    'from/scripts/run.sh': '#!/bin/sh\n',
    'from/empty': { directory: true },
    'from/.env': 'secret',
    'from/node_modules/x/index.js': 'x',
  });
  chmodSync(join(world.project, 'from/scripts/run.sh'), 0o755);
  symlinkSync('scripts/run.sh', join(world.project, 'from/link.sh'));
  expect((await world.run(['build', './from', '--import', '--target', 'none'])).status).toBe(0);
  expect(listTree(join(world.project, store))).toEqual({
    demo: '/',
    'demo/SKILL.md': skillText('demo'),
    'demo/empty': '/',
    'demo/link.sh': '#!/bin/sh\n',
    'demo/scripts': '/',
    'demo/scripts/run.sh': '#!/bin/sh\n',
  });
  expect(statSync(join(world.project, store, 'demo/scripts/run.sh')).mode & 0o777).toBe(0o755);
});

test('another skill of that name is E013; with --force it is backed up, each time', async () => {
  const world = makeWorld({
    'from/SKILL.md': skillText('demo', '# New\n'),
    [`${store}/demo/SKILL.md`]: skillText('demo', '# Old\n'),
  });
  const before = world.list();
  const refused = await world.run(['build', './from', '--import', '--target', 'none']);
  expect({ status: refused.status, code: codeOf(refused.stderr) }).toEqual({ status: 1, code: 'E013' });
  expect(world.list()).toEqual(before);
  expect(await world.run(['build', './from', '--import', '--target', 'none', '--force'])).toMatchObject({
    status: 0,
    stdout:
      'demo: created (1 of 1 file indexed)\n  form: a stub (as requested)\n  backup: <cwd>/.skillc/backups/demo.bak-20260102T030405Z\n',
  });
  world.write({ 'from/SKILL.md': skillText('demo', '# Newer\n') });
  expect((await world.run(['build', './from', '--import', '--target', 'none', '--force'])).status).toBe(0);
  expect(listTree(join(world.project, store))).toEqual({
    demo: '/',
    'demo/SKILL.md': skillText('demo', '# Newer\n'),
  });
  expect(listTree(join(world.project, '.skillc/backups'))).toEqual({
    'demo.bak-20260102T030405Z': '/',
    'demo.bak-20260102T030405Z/SKILL.md': skillText('demo', '# Old\n'),
    'demo.bak-20260102T030405Z-1': '/',
    'demo.bak-20260102T030405Z-1/SKILL.md': skillText('demo', '# New\n'),
  });
});

test('a dangling link in the store is E013, and replaced with --force', async () => {
  const world = makeWorld({ 'from/SKILL.md': skillText('demo'), [store]: { directory: true } });
  symlinkSync('/nonexistent/skill', join(world.project, store, 'demo'));
  expect(codeOf((await world.run(['build', './from', '--import', '--target', 'none'])).stderr)).toBe('E013');
  expect((await world.run(['build', './from', '--import', '--target', 'none', '--force'])).status).toBe(0);
  expect(world.read(`${store}/demo/SKILL.md`)).toBe(skillText('demo'));
});

test('a name that the store rejects is E100, and nothing is written', async () => {
  const world = makeWorld({ 'Two Words/SKILL.md': skillText('Two Words') });
  const before = world.list();
  expect(await world.run(['build', './Two Words', '--import'])).toMatchObject({
    status: 1,
    stderr:
      "error[E100]: 'Two Words' is not a valid name in a store\nhelp: names in a store are lower-case letters, digits and single hyphens\n",
  });
  expect(world.list()).toEqual(before);
});

test('a project that is itself a skill cannot be copied into its own store', async () => {
  const world = makeWorld({ 'SKILL.md': skillText('project') });
  const before = world.list();
  const { status, stderr } = await world.run(['build', '.', '--import', '--force']);
  expect({ status, code: codeOf(stderr) }).toEqual({ status: 1, code: 'E100' });
  expect(world.list()).toEqual(before);
  // Building it in place is fine.
  expect((await world.run(['build', '.', '--target', 'none'])).status).toBe(0);
});
