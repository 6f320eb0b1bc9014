import { expect, test } from 'vitest';
import { isSemver } from './version.ts';

test.each<[string, boolean]>([
  ['0.0.0', true],
  ['1.2.3', true],
  ['10.20.30', true],
  ['1.0.0-beta.1', true],
  ['1.0.0-0a.x-y', true],
  ['1.0.0+build.01', true],
  ['1.0.0-rc.1+5', true],
  ['', false],
  ['1', false],
  ['1.0', false],
  ['v1.0.0', false],
  ['01.0.0', false],
  ['1.0.0-01', false],
  ['1.0.0-', false],
  ['1.0.0 ', false],
  [`1.0.0-${'a'.repeat(300)}`, false],
])('%j', (version, valid) => {
  expect(isSemver(version)).toBe(valid);
});
