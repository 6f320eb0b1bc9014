// The table of threats: every promise has probes, and they exist.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { threatSections } from '../../../scripts/threats.ts';

const threats = threatSections.flatMap((section) => section.threats);

test('every probe is a file of tests', () => {
  const paths = [...new Set(threats.flatMap(({ probes }) => probes))];
  const isTest = (path: string) =>
    /\.test\.ts$/.test(path) && existsSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)));
  expect(paths.filter((path) => !isTest(path))).toEqual([]);
});

test('every promise is made once, and ends like a sentence', () => {
  const promises = threats.map(({ promise }) => promise);
  expect(new Set(promises).size).toBe(promises.length);
  expect(promises.filter((promise) => !promise.endsWith('.'))).toEqual([]);
});

test('what is not protected, and definitions, link no probe', () => {
  const prose = threatSections.flatMap(({ text = '', limits = '' }) => [text, limits]);
  expect(prose.filter((text) => text.includes('.test.ts'))).toEqual([]);
});
