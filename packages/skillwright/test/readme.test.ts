// The README shows only what works: its console blocks are run, and what they print is compared.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replayPage } from './guide-steps.ts';
import { makeDirectory } from './make-directory.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

test('the README is short and shows the two commands', () => {
  expect(readme.split('\n').length).toBeLessThan(150);
  expect(readme).toContain('npm ci && npm start');
  expect(readme).toContain('npm ci && npm test');
});

test('it has a picture that is there, and shadows no program of the reader', () => {
  const [, picture] = /^!\[[^\]]+\]\(([^)]+)\)$/m.exec(readme)!;
  expect(existsSync(new URL(`../../../${picture}`, import.meta.url))).toBe(true);
  expect(readme).not.toContain('node_modules/.bin');
  const [, directory] = /^export PATH="\$PWD\/(\S+):\$PATH"$/m.exec(readme)!;
  expect(readdirSync(new URL(`../../../${directory}`, import.meta.url)).toSorted()).toEqual([
    'plan-launch.js',
    'skc',
    'skc.cmd',
    'skillwright.js',
  ]);
});

test('every console block prints what the README says', async () => {
  const root = makeDirectory({ work: { directory: true }, home: { directory: true } });
  const world = { cwd: join(root, 'work'), home: join(root, 'home') };
  expect(readme.match(/^```console$/gm)?.length).toBe(2);
  expect(await replayPage(readme, world)).toBe(readme);
});
