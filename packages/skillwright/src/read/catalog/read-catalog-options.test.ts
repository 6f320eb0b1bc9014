import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { readCatalogOptions } from './read-catalog-options.ts';

test.each([
  ['nothing', {}, {}, []],
  [
    'the project',
    { 'work/.skillc/config.toml': '[catalog]\nroots = ["extra"]\n' },
    {},
    [['work/extra', 'project']],
  ],
  [
    'the user',
    { 'home/.skillc/config.toml': '[catalog]\nroots = ["extra", "~/more"]\n' },
    {},
    [
      ['home/extra', 'user'],
      ['home/more', 'user'],
    ],
  ],
  ['the environment', {}, { SKILLC_CATALOG_ROOTS: 'extra' }, [['work/deep/extra', 'user']]],
])('roots configured by %s', async (_what, files, env, expected) => {
  const root = makeDirectory({ 'home/x': '', 'work/.skillc/x': '', 'work/deep/x': '', ...files });
  const context = { cwd: join(root, 'work/deep'), home: join(root, 'home'), env, report: () => {} };
  const { roots = [] } = await readCatalogOptions(context);
  expect(roots).toEqual(expected.map(([path = '', scope]) => ({ path: join(root, path), scope })));
});

test('bounds and markers come from the configuration', async () => {
  const root = makeDirectory({
    'home/.skillc/config.toml': '[catalog]\nmax_depth = 3\nmax_directories = 9\nmarkers = ["x"]\n',
  });
  const context = { cwd: root, home: join(root, 'home'), env: {}, report: () => {} };
  expect(await readCatalogOptions(context)).toEqual({
    cwd: root,
    home: join(root, 'home'),
    env: {},
    markers: ['x'],
    maxDepth: 3,
    maxDirectories: 9,
    roots: [],
  });
});
