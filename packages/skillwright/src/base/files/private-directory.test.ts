import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { abandonedDirectories, makePrivateDirectory } from './private-directory.ts';

test('directories of killed processes are found, and removed after the first run', () => {
  const base = makeDirectory({ precious: { directory: true } });
  const dead = String(spawnSync(process.execPath, ['-e', '']).pid);
  const left = makePrivateDirectory(base).path;
  const abandoned = left.replace(`-${process.pid}-`, `-${dead}-`);
  renameSync(left, abandoned);
  mkdirSync(join(base, 'skc-run-other'));
  const running = makePrivateDirectory(base);
  expect(abandonedDirectories(base)).toEqual([abandoned]);
  running.remove();
  const others = ['skc-run-other', 'precious'].map((name) => join(base, name));
  expect([running.path, abandoned, ...others].map((path) => existsSync(path))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test('a link in their place is not followed', () => {
  const base = makeDirectory({ precious: { directory: true } });
  const dead = String(spawnSync(process.execPath, ['-e', '']).pid);
  const running = makePrivateDirectory(base);
  const link = running.path.replace(`-${process.pid}-`, `-${dead}-`);
  symlinkSync(join(base, 'precious'), link);
  expect(abandonedDirectories(base)).toEqual([]);
  running.remove();
  expect([link, join(base, 'precious')].map((path) => existsSync(path))).toEqual([true, true]);
});
