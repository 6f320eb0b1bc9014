import { expect, test } from 'vitest';
import { isReached, unreachedVersion } from './version.ts';

test.each([
  ['0.1.0', '0.1.0', true],
  ['0.1.1', '0.1.0', false],
  ['v0.2', '0.10.0', true],
  ['1', '0.9.9', false],
  ['1', '1.0.0', true],
  ['1.0.0', '1.0.0-rc.1', false],
  ['1.0.0-rc.1', '1.0.0', true],
  ['1.0.0+build', '1.0.0', true],
  ['latest', '0.1.0', true],
  [`1${'0'.repeat(400)}`, '0.1.0', true],
])('%s, with %s: %s', (needed, version, reached) => {
  expect(isReached(needed, version)).toBe(reached);
});

test('the top level wins over metadata, and numbers keep their written form', () => {
  expect(unreachedVersion({})).toBe(undefined);
  expect(unreachedVersion({ 'min-skillli-version': '99.0.0' })).toBe('99.0.0');
  expect(unreachedVersion({ metadata: { 'min-skillli-version': 99 } })).toBe('99');
  expect(
    unreachedVersion({ 'min-skillli-version': '0.0.1', metadata: { 'min-skillli-version': '99.0.0' } }),
  ).toBe(undefined);
  expect(unreachedVersion({ 'min-skillli-version': ['99.0.0'] })).toBe(undefined);
});
