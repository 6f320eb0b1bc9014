import fs, { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { isOpenElsewhere, removePath, renamePath, retry, retrySync } from './retry.ts';

const coded = (code: string) => Object.assign(new Error(code), { code });

test.each([
  ['win32', 'EPERM', true],
  ['win32', 'EACCES', true],
  ['win32', 'EBUSY', true],
  ['win32', 'ENOTEMPTY', true],
  ['win32', 'ENOENT', false],
  ['win32', 'ENOSPC', false],
  ['linux', 'EPERM', false],
  ['linux', 'EBUSY', false],
  ['darwin', 'EACCES', false],
] as const)('on %s, %s may pass: %s', (platform, code, expected) => {
  expect(isOpenElsewhere(coded(code), platform)).toBe(expected);
});

test.each(['EFAULT', 'ENOENT'])(
  'after %s a directory goes one entry at a time, and links do not lead on',
  (code) => {
    const root = makeDirectory({
      'tree/a/b/c.txt': 'c',
      'tree/d.txt': 'd',
      'tree/out': { link: '../precious' },
      'precious/x': '',
    });
    const { rmSync } = fs;
    onTestFinished(() => {
      fs.rmSync = rmSync;
      syncBuiltinESMExports();
    });
    fs.rmSync = () => {
      throw coded(code);
    };
    syncBuiltinESMExports();
    removePath(`${root}/tree`, { recursive: true });
    expect(['tree', 'precious/x'].map((path) => existsSync(`${root}/${path}`))).toEqual([false, true]);
  },
);

test('what is missing is not tried again', () => {
  const root = makeDirectory({ file: '' });
  expect(() => renamePath(`${root}/a`, `${root}/b`)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  expect(() => removePath(`${root}/a`)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  for (const path of ['a', 'file/below', 'file/below/that'])
    for (const recursive of [true, false]) removePath(`${root}/${path}`, { force: true, recursive });
});

test.each([
  [
    'waiting',
    (work: () => number, most: number) => retry(work, { most, pauseMs: 1, maxPauseMs: 2, mayPass }),
  ],
  [
    'stopping',
    (work: () => number, most: number) => retrySync(work, { most, pauseMs: 1, maxPauseMs: 2, mayPass }),
  ],
] as const)('tries until it succeeds, or has tried often enough: %s', async (_, tryAgain) => {
  const failing = (times: number) => {
    let tried = 0;
    return () => {
      tried++;
      if (tried <= times) throw coded('EBUSY');
      return tried;
    };
  };
  expect(await tryAgain(failing(3), 5)).toBe(4);
  await expect((async () => tryAgain(failing(5), 5))()).rejects.toMatchObject({ code: 'EBUSY' });
});

const mayPass = (error: unknown) => isOpenElsewhere(error, 'win32');
