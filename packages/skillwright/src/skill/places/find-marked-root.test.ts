import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { findMarkedRoot, listProjectDirectories } from './find-marked-root.ts';

function makeWorld() {
  const root = makeDirectory({
    'home/.skillc': { directory: true },
    'home/dir/x': '',
    'outer/.git': 'gitdir: elsewhere',
    'outer/inner/.skillc': { directory: true },
    'outer/inner/deep/x': '',
    'outer/beside/x': '',
    'home-link': { link: 'home' },
  });
  return (cwd: string) => ({ root, context: { cwd: join(root, cwd), home: join(root, 'home') } });
}

describe('the marked root', () => {
  test.each([
    ['outer/inner/deep', { path: 'outer/inner', marker: '.skillc' }],
    ['outer/beside', { path: 'outer', marker: '.git' }],
    ['home/dir', undefined],
    ['home-link/dir', undefined],
  ])('of %s', (cwd, expected) => {
    const { root, context } = makeWorld()(cwd);
    const found = findMarkedRoot(context);
    expect(found).toEqual(expected && { ...expected, path: join(root, expected.path) });
  });
});

describe('the directories of a project', () => {
  test.each([
    ['outer/inner/deep', 'outer', ['outer', 'outer/inner', 'outer/inner/deep']],
    ['outer/inner', 'outer/inner', ['outer/inner']],
    ['outer/inner', 'outer/beside', ['outer/beside']],
    ['home/dir', 'home', ['home/dir']],
    ['home-link/dir', 'home-link', ['home-link/dir']],
  ])('in %s below %s', (cwd, top, expected) => {
    const { root, context } = makeWorld()(cwd);
    expect(listProjectDirectories(join(root, top), context)).toEqual(
      expected.map((path) => join(root, path)),
    );
  });
});
