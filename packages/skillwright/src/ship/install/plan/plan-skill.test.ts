import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installRequest, makeContext } from '../../../../test/install-world.ts';
import { makeWorld, skillText, type World } from '../../../../test/make-world.ts';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { entryOf, type LockedSkill, readLock } from '../lock/lock.ts';
import { placeOf } from '../place/install-place.ts';
import { readPlaced } from '../place/place-records.ts';
import type { LocksNow } from '../transaction/change-place.ts';
import { changeOf, type InstallPlan, type InstallWork } from './plan-skill.ts';

const stored = '.skillc/skills/demo';

async function makeInstalled(): Promise<World> {
  const world = makeWorld({ '~/source/SKILL.md': skillText('demo'), '~/source/a.md': 'A\n' });
  const words = ['install', join(world.home, 'source'), '--yes', '--target', 'claude'];
  expect((await world.run(words)).status).toBe(0);
  return world;
}

interface Case {
  /** Fate of the skill installed before. */
  readonly change?: (world: World) => void;
  /** The entry in the lock; undefined for none. */
  readonly known?: (entry: LockedSkill) => LockedSkill | undefined;
  /** The entry to install. */
  readonly wanted?: (entry: LockedSkill) => LockedSkill;
}

/** Fate of the directory: it stays, is replaced, is replaced and kept, or an error. */
async function fateOf({ change, known, wanted }: Case, force: boolean): Promise<string> {
  const world = await makeInstalled();
  change?.(world);
  const context = makeContext(world);
  const place = placeOf('project', context);
  const installed = entryOf(readLock(place.store.lock).lock, 'demo')!;
  const entry = wanted?.(installed) ?? installed;
  const found = known === undefined ? installed : known(installed);
  const lock = { skills: found === undefined ? {} : { demo: found } };
  const now = { lock, placed: readPlaced(place) };
  const work = { place, context, targets: [], request: { ...installRequest, targets: [], force }, ...now };
  try {
    const plan = { name: 'demo', entry } as InstallPlan;
    const made = await changeOf(plan, work as unknown as InstallWork & LocksNow);
    return made.stays ? 'stays' : made.keep ? 'replaced and kept' : 'replaced';
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    return error.code;
  }
}

const gone = (world: World) => rmSync(join(world.project, stored), { recursive: true });
const edit = (world: World) => world.write({ [`${stored}/a.md`]: 'Mine\n' });
const lose = (world: World) => rmSync(join(world.project, stored, 'a.md'));
const addBeside = (world: World) => world.write({ [`${stored}/.notes`]: 'Mine\n' });
const withEdits = (entry: LockedSkill) => ({ ...entry, edits: { 'a.md': entry.digest } });
const newer = (entry: LockedSkill) => ({ ...entry, digest: `sha256:${'0'.repeat(64)}` });
const from = (source: string) => (entry: LockedSkill) => ({ ...entry, source });

test.each<readonly [string, Case, plain: string, forced: string]>([
  ['the same version, as installed', {}, 'stays', 'replaced'],
  ['the same version, edited', { change: edit }, 'stays', 'replaced and kept'],
  ['the same version, a file lost', { change: lose }, 'replaced', 'replaced'],
  ['the same version, gone', { change: gone }, 'replaced', 'replaced'],
  [
    "the same version, gone, with the project's edits",
    { change: gone, known: withEdits },
    'E212',
    'replaced',
  ],
  ["the same version, a file behind the project's edits", { known: withEdits }, 'E212', 'replaced and kept'],
  ['another version', { wanted: newer }, 'replaced', 'replaced'],
  ['another version, edited', { change: edit, wanted: newer }, 'E212', 'replaced and kept'],
  ['another version, own files beside', { change: addBeside, wanted: newer }, 'E212', 'replaced and kept'],
  [
    "another version, with the project's edits",
    { known: withEdits, wanted: newer },
    'E212',
    'replaced and kept',
  ],
  ['another version, gone', { change: gone, wanted: newer }, 'replaced', 'replaced'],
  ['not installed by skc', { known: () => undefined }, 'E013', 'replaced and kept'],
  ['not installed, nothing there', { change: gone, known: () => undefined }, 'replaced', 'replaced'],
  ['from another source', { wanted: from('./elsewhere') }, 'E013', 'replaced and kept'],
  [
    'another skill of a registry',
    {
      known: from('registry+https://r.example/#@a/demo'),
      wanted: from('registry+https://r.example/#@b/demo'),
    },
    'E240',
    'replaced and kept',
  ],
])('%s', async (_, given, plain, forced) => {
  expect([await fateOf(given, false), await fateOf(given, true)]).toEqual([plain, forced]);
});
