import type { Stats } from 'node:fs';
import { expect, test } from 'vitest';
import { isUnchanged, makeStamp } from './read-root.ts';

const status = (fields: Partial<Stats>) =>
  ({ mtimeMs: 1000.5, ctimeMs: 2000.5, size: 3, ino: 4, ...fields }) as Stats;

test.each([
  ['an old file', {}, 3000, [1000.5, 2000.5, 3, 4]],
  ['a file changed just now', {}, 2040, undefined],
  ['a file from the future', {}, 1000, undefined],
  ['an old file with times in seconds', { ctimeMs: 2000 }, 5000, [1000.5, 2000, 3, 4]],
  ['a recent file with times in seconds', { ctimeMs: 2000 }, 4000, undefined],
])('%s', (_what, fields, now, stamp) => {
  expect(makeStamp(status(fields), now)).toEqual(stamp);
});

test.each([
  ['nothing', {}, true],
  ['the modification time', { mtimeMs: 1 }, false],
  ['the change time', { ctimeMs: 1 }, false],
  ['the size', { size: 1 }, false],
  ['the file behind the name', { ino: 1 }, false],
])('%s is different', (_what, fields, same) => {
  expect(isUnchanged(makeStamp(status({}), 9000), status(fields))).toBe(same);
});

test('a file without a stamp counts as changed', () => {
  expect(isUnchanged(undefined, status({}))).toBe(false);
});
