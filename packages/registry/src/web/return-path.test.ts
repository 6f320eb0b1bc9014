import { expect, test } from 'vitest';
import { returnPath } from './return-path.ts';

const home = 'https://registry.test';

test.each([
  ['/', '/'],
  ['/@acme/tables?tab=files#top', '/@acme/tables?tab=files#top'],
  ['/device?code=ABCD-EFGH', '/device?code=ABCD-EFGH'],
])('%s is a page of the registry', (text, expected) => {
  expect(returnPath(text, home)).toBe(expected);
});

test.each([
  undefined,
  '',
  'https://evil.test/',
  '//evil.test/',
  '///evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  '/.//evil.test',
  '/x/..//evil.test',
  '/%2e//evil.test',
  '/\t/evil.test',
  '/\n//evil.test',
  ' //evil.test',
  'javascript:alert(1)',
  'evil.test',
  '@evil.test',
  'https:evil.test',
])('%j leads home', (text) => {
  expect(returnPath(text, home)).toBe('/');
});
