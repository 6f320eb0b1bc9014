import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { settleWorkspace } from '../../skill/workspace/workspace.ts';
import { settleOptions } from './list-skill-roots.ts';

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
  ['the environment', {}, { SKC_CATALOG_ROOTS: 'extra' }, [['work/deep/extra', 'user']]],
])('roots configured by %s', async (_what, files, env, expected) => {
  const root = makeDirectory({ 'home/x': '', 'work/.skillc/x': '', 'work/deep/x': '', ...files });
  const place = { cwd: join(root, 'work/deep'), home: join(root, 'home'), env };
  const { roots } = await settleOptions(settleWorkspace(place), {});
  expect(roots).toEqual(expected.map(([path = '', scope]) => ({ path: join(root, path), scope })));
});

test('limits come from the configuration, unless the host sets its own', async () => {
  const root = makeDirectory({
    'home/.skillc/config.toml': '[catalog]\nmax_depth = 3\nmax_directories = 9\n',
  });
  const workspace = settleWorkspace({ cwd: root, home: join(root, 'home'), env: {} });
  expect(await settleOptions(workspace, {})).toMatchObject({ maxDepth: 3, maxDirectories: 9 });
  expect(await settleOptions(workspace, { maxDepth: 1 })).toMatchObject({ maxDepth: 1, maxDirectories: 9 });
});

test.each(['../outside', '/', '~/private', 'linked'])(
  "a project's root %s outside itself is E110",
  async (written) => {
    const root = makeDirectory({
      'home/x': '',
      'outside/x': '',
      'work/linked': { link: '../outside' },
      'work/.skillc/config.toml': `[catalog]\nroots = ["${written}"]\n`,
    });
    const workspace = settleWorkspace({ cwd: join(root, 'work'), home: join(root, 'home'), env: {} });
    await expect(settleOptions(workspace, {})).rejects.toMatchObject({ code: 'E110' });
  },
);
