import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
