import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { namesIn } from './names-in.ts';

const dir = mkdtempSync(join(tmpdir(), 'skc-names-'));
for (const name of ['b', 'B', '.hidden']) writeFileSync(join(dir, name), '');
mkdirSync(join(dir, 'a'));

test('visible names in bytewise order', () => {
  expect(namesIn(dir)).toEqual(['B', 'a', 'b']);
});

test('the names that match', () => {
  expect(namesIn(dir, (name) => name.length > 1)).toEqual(['.hidden']);
});

test.each(['missing', 'b'])('none in what is not a directory: %s', (name) => {
  expect(namesIn(join(dir, name))).toEqual([]);
});
