import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { type BuildManifest, readBuildManifest, readSourcePath, spellSourcePath } from './build-manifest.ts';

const manifest: BuildManifest = {
  skill: 'demo',
  version: 1,
  built_at: '2026-01-02T03:04:05.000Z',
  source_hash: 'a',
  source_path: './skills/demo',
  generator: 'skc',
  files: 1,
  bytes: 2,
  stub_hash: 'b',
};

describe('readBuildManifest', () => {
  test('reads the manifest a build writes', () => {
    const root = makeDirectory({ '.skillc/manifest.json': JSON.stringify(manifest) });
    expect(readBuildManifest(root)).toEqual(manifest);
  });

  test.each([
    ['nothing', undefined],
    ['no JSON', '{'],
    ['null', 'null'],
    ['a list', '[]'],
    ['another version', JSON.stringify({ ...manifest, version: 2 })],
    ['a missing field', JSON.stringify({ ...manifest, source_path: undefined })],
    ['a wrong type', JSON.stringify({ ...manifest, source_path: ['x'] })],
    ['an endless device', { link: '/dev/zero' }],
    ['a directory', { directory: true }],
  ] as const)('%s is none', (_, content) => {
    const root = makeDirectory(content === undefined ? {} : { '.skillc/manifest.json': content });
    expect(readBuildManifest(root)).toBeUndefined();
  });
});

test.each([
  ['/p/skills/demo', '/p', './skills/demo'],
  ['/home/u/x/demo', '/p', '~/x/demo'],
  ['/other/demo', '/p', '~/../../other/demo'],
  ['/home/u/x/demo', undefined, '~/x/demo'],
])('%s in project %s is spelled %s, and read back', (source, project, spelled) => {
  const [from, home] = [resolve(source), resolve('/home/u')];
  const base = project === undefined ? undefined : resolve(project);
  expect(spellSourcePath(from, { project: base, home })).toBe(spelled);
  const runtime = resolve(base ?? home, '.skillc/runtime/demo');
  expect(readSourcePath({ ...manifest, source_path: spelled }, runtime, home)).toBe(from);
});
