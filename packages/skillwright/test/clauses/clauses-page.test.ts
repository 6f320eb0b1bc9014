// docs/clauses.md names a test for every clause, and these tests exist.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const page = readFileSync(join(repository, 'docs/clauses.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| clause '))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

test('every clause says what it is, how it stands and which test shows it', () => {
  expect(rows.length).toBeGreaterThan(45);
  const incomplete = rows.filter(
    (cells) =>
      cells.length !== 4 || !/^(?:holds|differs|added)/.test(cells[2]!) || !/\.test\.ts\)/.test(cells[3]!),
  );
  expect(incomplete).toEqual([]);
});

test('the tests are there', () => {
  const missing = rows.filter(([, , , cell]) => {
    const [, path = '', name = ''] = /\]\(\.\.\/(\S+?)\): `(.*)`$/.exec(cell!) ?? [];
    const file = join(repository, path);
    if (!existsSync(file)) return true;
    const text = readFileSync(file, 'utf8');
    return ![`'${name}`, `"${name}`].some((start) => name !== '' && text.includes(start));
  });
  expect(missing).toEqual([]);
});

test('every test of the two specifications is named', () => {
  const names = ['seed-3', 'seed-3-sections', 'seed-5'].flatMap((file) => {
    const text = readFileSync(new URL(`./${file}.test.ts`, import.meta.url), 'utf8');
    return [...text.matchAll(/^(?:test\(|\]\)\()\s*'([^']+)'/gm)].map(([, name]) => name!);
  });
  const named = rows.map(([, , , cell]) => /: `(.*)`$/.exec(cell!)?.[1]).filter((name) => name !== undefined);
  expect(names.filter((name) => !named.some((start) => name.startsWith(start)))).toEqual([]);
});
