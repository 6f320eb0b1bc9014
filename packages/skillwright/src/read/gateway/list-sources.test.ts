import { realpathSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { listSources } from './list-sources.ts';

const everything = { dir: undefined, depth: undefined, limit: 100, pattern: undefined };

test('names no outside files when a directory becomes a link while it is listed', async () => {
  const root = makeDirectory({
    'skill/SKILL.md': '',
    'skill/place/name.txt': '',
    'outside/name.txt': '',
  });
  const skill = join(root, 'skill');
  const name = join(skill, 'place/name.txt');
  const resolve = realpathSync.native;
  let looks = 0;
  const spy = vi.spyOn(realpathSync, 'native').mockImplementation(((path: string) => {
    if (path !== name || looks++ > 0) return resolve(path);
    // The system resolves a path part by part. Swapped in between, the path leads out and looks inside.
    renameSync(join(skill, 'place'), join(root, 'aside'));
    symlinkSync(join(root, 'outside'), join(skill, 'place'));
    return path;
  }) as typeof realpathSync.native);
  onTestFinished(() => spy.mockRestore());
  const { entries } = await listSources(skill, everything);
  expect(entries.map(({ path }) => path)).toEqual(['place', 'SKILL.md']);
  expect(looks).toBe(2);
});
