import { expect, test } from 'vitest';
import { withLockedModes } from './stored-files.ts';

const file = (executable: boolean) => ({ bytes: Buffer.from('x'), executable });

test.each([
  ['win32', { 'go.sh': true, 'data.sh': false, 'new.sh': true }],
  ['linux', { 'go.sh': false, 'data.sh': true, 'new.sh': true }],
] as const)('execute bits of known files on %s', (platform, expected) => {
  const files = new Map([
    ['go.sh', file(false)],
    ['data.sh', file(true)],
    ['new.sh', file(true)],
  ]);
  const locked = { files: { 'go.sh': 'sha256:1', 'data.sh': 'sha256:2' }, executable: ['go.sh'] };
  const modes = [...withLockedModes(files, locked, platform)].map(([path, { executable }]) => [
    path,
    executable,
  ]);
  expect(Object.fromEntries(modes)).toEqual(expected);
});
