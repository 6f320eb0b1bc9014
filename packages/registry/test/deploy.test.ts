// The files for deployment name settings that exist, and give open requests their time.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { settingList } from '../src/settings/index.ts';
import { Settings } from '../src/settings/settings.ts';

const directory = fileURLToPath(new URL('../deploy/', import.meta.url));
const files = new Map(
  readdirSync(directory).map((name) => [name, readFileSync(directory + name, 'utf8')] as const),
);

test('there is a container, three of them behind a proxy, and a service of systemd', () => {
  expect([...files.keys()]).toEqual([
    'Caddyfile',
    'Containerfile',
    'compose.yaml',
    'skillwright-registry.service',
  ]);
});

test.each([...files])('%s names settings that exist', (_, text) => {
  const variables = new Set(settingList.map(({ variable }) => variable));
  const named = [...text.matchAll(/\bREGISTRY_[A-Z_]+\b/g)].map(([name]) => name);
  expect(named.filter((name) => name !== 'REGISTRY_' && !variables.has(name))).toEqual([]);
});

test.each([
  ['compose.yaml', /stop_grace_period: (\d+)s/],
  ['skillwright-registry.service', /TimeoutStopSec=(\d+)/],
])('%s waits longer for a stop than the registry does for open requests', (name, pattern) => {
  const seconds = Number(pattern.exec(files.get(name)!)?.[1]);
  expect(seconds).toBeGreaterThan(Settings.parse({ data: '' }).stopSeconds);
});

test('the container runs as a user, and takes every file of both packages', () => {
  const text = files.get('Containerfile')!;
  expect(text).toMatch(/^USER node$/m);
  expect(text).toMatch(/--workspace packages\/skillwright --workspace packages\/registry/);
});
