// Doctors that run at the same time, and doctors that are killed.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { consult, makeInstalledWorld, makeSourceWorld, must, remove } from '../../../test/doctor-world.ts';
import { writeTree } from '../../../test/make-directory.ts';
import { skillText, type World } from '../../../test/make-world.ts';

/** Everything that can be repaired, broken at once; and a home that has what is needed. */
async function makeWreck(): Promise<World> {
  const world = await makeInstalledWorld();
  world.write({ '.skillc/skills/own/SKILL.md': skillText('own') });
  await must(world, ['build', 'own', '--copy', '--target', 'goose', '--scope', 'project']);
  world.write({ '.skillc/skills/own/SKILL.md': skillText('own', '# New\n') });
  for (const path of ['.skillc/skills/docx', '.skillc/runtime/pdf', '.agents/skills/pdf'])
    remove(world, path);
  writeTree(world.project, { '.claude/skills/gone': { link: '/no/such/.skillc/runtime/gone' } });
  return world;
}

const driver = fileURLToPath(new URL('../../../test/doctor-driver.ts', import.meta.url));
const taskOf = ({ project, home }: World, dieAt: number) => [
  driver,
  JSON.stringify({ project, home, dieAt }),
];

test('several doctors at once repair the same problems without conflict', async () => {
  const world = await makeWreck();
  const ends = Array.from({ length: 4 }, async () => {
    const child = spawn(process.execPath, taskOf(world, 0), { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.resume();
    const [status] = await once(child, 'close');
    return status;
  });
  expect(await Promise.all(ends)).toEqual(ends.map(() => 0));
  expect(await consult(world)).toEqual([]);
});

test('the next doctor repairs the remains of a killed one', async () => {
  const wreck = await makeWreck();
  const kept = join(makeSourceWorld().root, 'kept');
  cpSync(wreck.root, kept, { recursive: true, verbatimSymlinks: true });
  let kills = 0;
  for (let dieAt = 1; ; dieAt++) {
    rmSync(wreck.root, { recursive: true });
    cpSync(kept, wreck.root, { recursive: true, verbatimSymlinks: true });
    const { signal, stdout } = spawnSync(process.execPath, taskOf(wreck, dieAt), { encoding: 'utf8' });
    if (signal === null) {
      expect(JSON.parse(stdout)).toEqual([]);
      break;
    }
    kills += 1;
    const left = (await consult(wreck, ['--fix'])).filter((one) => !one.includes('fixed'));
    expect(left, `killed at step ${dieAt}`).toEqual([]);
    expect(await consult(wreck)).toEqual([]);
  }
  expect(kills).toBeGreaterThan(10);
});
