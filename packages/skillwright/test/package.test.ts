import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { renderDocs } from '../../../scripts/render-docs.ts';
import * as library from '../src/index.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('the version is the one of the package', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'packages/skillwright/package.json'), 'utf8'));
  expect(library.toolVersion).toBe(manifest.version);
});

test('the library offers exactly this', () => {
  expect(Object.keys(library).toSorted()).toEqual([
    'SkillwrightError',
    'codes',
    'commandNames',
    'createClient',
    'toolVersion',
  ]);
});

const reading = join(root, 'packages/skillwright/dist/read/index.js');

test.skipIf(!process.env.CI && !existsSync(reading))('reading skills loads no reader of programs', () => {
  const files = new Set([reading]);
  const packages = new Set<string>();
  // Iterating a set also visits entries added meanwhile.
  for (const file of files)
    for (const [, from = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export) .*?from "([^"]+)"/gm))
      if (from.startsWith('.')) files.add(join(dirname(file), from));
      else if (!from.startsWith('node:')) packages.add(from);
  expect([...packages].toSorted()).toEqual(['js-yaml', 'markdown-it', 'zod']);
});

test('the generated documentation is current (npm run docs writes it)', async () => {
  const pages = await renderDocs();
  const stale = [...pages].filter(([path, text]) => {
    const place = join(root, path);
    return !existsSync(place) || readFileSync(place, 'utf8') !== text;
  });
  expect(stale.map(([path]) => path)).toEqual([]);
  const extra = readdirSync(join(root, 'docs/commands')).filter(
    (name) => !pages.has(`docs/commands/${name}`),
  );
  expect(extra).toEqual([]);
});
