import { expect, test } from 'vitest';
import { safeReturn } from './index.ts';

test.each([
  '/',
  '/@acme/tables?tab=files#top',
  '/device?code=ABCD-EFGH',
  '/search?q=a%20b&in=//x#top',
  `/${'x'.repeat(1999)}`,
])('%s is a page of the site', (path) => {
  expect(safeReturn(path)).toBe(path);
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
  '/x/..\\\\evil.test',
  '/%2e//evil.test',
  '/\t/evil.test',
  '/\n//evil.test',
  ' //evil.test',
  'javascript:alert(1)',
  'evil.test',
  '@evil.test',
  'https:evil.test',
  `/${'x'.repeat(2000)}`,
])('%j leads home', (path) => {
  expect(safeReturn(path)).toBe('/');
});
