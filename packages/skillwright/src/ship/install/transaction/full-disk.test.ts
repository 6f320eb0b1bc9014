import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext, test } from 'vitest';
import {
  demoSkill,
  installRequest,
  makeContext,
  outcomeOf,
  updateRequest,
} from '../../../../test/install-world.ts';
import { makeDirectory } from '../../../../test/make-directory.ts';
import { listTree } from '../../../../test/make-world.ts';
import { installSkills } from '../install-skills.ts';
import { updateSkills } from '../update-skills.ts';
import { verifySkills } from '../verify-skills.ts';

/** A project on its own disk of half a megabyte. If none can be mounted, the test is skipped, or fails under CI. */
function makeSmallDisk(context: TestContext) {
  const root = makeDirectory({
    project: { directory: true },
    home: { directory: true },
    ...demoSkill(1, 'versions/one'),
    ...demoSkill(2, 'versions/two'),
    'versions/current': { link: 'one' },
  });
  const project = join(root, 'project');
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', project]).status === 0;
  if (!mounted) {
    const reason = 'a small disk cannot be mounted here';
    if (process.env.CI) throw new Error(reason);
    context.skip(reason);
  }
  onTestFinished(() => void spawnSync('umount', ['-l', project]));
  mkdirSync(join(project, '.skillc'));
  return { root, project, home: join(root, 'home'), source: join(root, 'versions', 'current') };
}

/** Leaves this many pages of 4 KiB free. */
function fillUp(project: string, pages: number): void {
  const { bavail, bsize } = statfsSync(project);
  writeFileSync(join(project, 'ballast'), Buffer.alloc(Math.max(0, Number(bavail) - pages) * Number(bsize)));
}

const versionIn = ({ root, project }: { root: string; project: string }) => {
  const store = join(project, '.skillc/skills/demo');
  if (!existsSync(store)) return 'none';
  const there = JSON.stringify(listTree(store));
  return (
    ['one', 'two'].find((name) => JSON.stringify(listTree(join(root, 'versions', name))) === there) ?? 'mixed'
  );
};

const sizes = [0, 1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40];

test('an install on a full disk leaves nothing, and can be repeated', async (context) => {
  const disk = makeSmallDisk(context);
  const seen = new Set<string>();
  for (const pages of sizes) {
    fillUp(disk.project, pages);
    const outcome = await outcomeOf(
      installSkills({ ...installRequest, source: disk.source }, makeContext(disk)),
    );
    const code = typeof outcome === 'string' ? outcome.slice(0, 4) : 'done';
    seen.add(code);
    rmSync(join(disk.project, 'ballast'));
    const verified = await verifySkills({ skills: [] }, makeContext(disk));
    expect({ pages, code, version: versionIn(disk), skills: verified.map(({ ok }) => ok) }).toEqual(
      code === 'done'
        ? { pages, code, version: 'one', skills: [true] }
        : { pages, code: 'E016', version: 'none', skills: [] },
    );
    if (code === 'done') break;
  }
  expect([...seen]).toEqual(['E016', 'done']);
});

test('an update on a full disk leaves the old version, and can be repeated', async (context) => {
  const disk = makeSmallDisk(context);
  await installSkills({ ...installRequest, source: disk.source }, makeContext(disk));
  rmSync(disk.source);
  symlinkSync('two', disk.source);
  const lock = readFileSync(join(disk.project, '.skillc/lock.json'), 'utf8');
  const seen = new Set<string>();
  for (const pages of sizes) {
    fillUp(disk.project, pages);
    const { failed } = await updateSkills(updateRequest, makeContext(disk));
    const code = failed[0]?.code ?? 'done';
    seen.add(code);
    rmSync(join(disk.project, 'ballast'));
    const verified = await verifySkills({ skills: [] }, makeContext(disk));
    expect({ pages, code, version: versionIn(disk), skills: verified.map(({ ok }) => ok) }).toEqual(
      code === 'done'
        ? { pages, code, version: 'two', skills: [true] }
        : { pages, code: 'E016', version: 'one', skills: [true] },
    );
    if (code === 'done') break;
    expect(readFileSync(join(disk.project, '.skillc/lock.json'), 'utf8')).toBe(lock);
  }
  expect([...seen]).toEqual(['E016', 'done']);
});
