// A table of faults: the doctor's findings for each, its repairs, and a check that it touches nothing else.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { consult, makeBuiltWorld, makeInstalledWorld, type Told } from './doctor-world.ts';
import { makeWorld, type World } from './make-world.ts';

/** One fault. */
export interface Row {
  readonly name: string;
  make(): World | Promise<World>;
  readonly told: readonly Told[];
  /** Findings left after `--fix`, if they differ from those that cannot be repaired. */
  readonly left?: readonly Told[];
}

/** A project without installed skills. */
export const project = (files: Parameters<typeof makeWorld>[0]) => () => makeWorld(files);

/** Two installed skills, and something done to them. */
export const broken =
  (change: (world: World) => void | Promise<void>, options: { copy?: boolean } = {}) =>
  async () => {
    const world = await makeInstalledWorld(options);
    await change(world);
    return world;
  };

/** A compiled skill, and something done to it. */
export const built =
  (change: (world: World) => void | Promise<void>, words: readonly string[] = []) =>
  async () => {
    const world = await makeBuiltWorld(words);
    await change(world);
    return world;
  };

/** Changes the entry of one installed skill in the lock. */
export const editLock = (world: World, edit: (skill: Record<string, unknown>) => void) => {
  const lock = JSON.parse(world.read('.skillc/lock.json'));
  edit(lock.skills.pdf);
  world.write({ '.skillc/lock.json': JSON.stringify(lock) });
};

/** Files of a world, without SQLite journals of killed processes, which the next reader rolls back. */
function listWorld(world: World): Record<string, string> {
  const { [join('project', '.skillc', '.install', 'lock-journal')]: _, ...listed } = world.list();
  return listed;
}

/** Tests every row. */
export function testRows(rows: readonly Row[]): void {
  describe.each(rows)('$name', ({ make, told, left }) => {
    test('is told, and repaired where that is safe', async () => {
      const world = await make();
      const before = listWorld(world);
      expect(await consult(world)).toEqual(told);
      expect(listWorld(world), 'looking changes nothing').toEqual(before);
      const remains = left ?? told.filter((one) => !one.includes('fixable'));
      const repaired = await consult(world, ['--fix']);
      expect(repaired.filter((one) => !one.includes('fixed'))).toEqual(remains);
      const after = listWorld(world);
      expect(await consult(world, ['--fix'])).toEqual(remains);
      expect(listWorld(world), 'repairing again changes nothing').toEqual(after);
      expect(await consult(world)).toEqual(remains);
    });
  });
}
