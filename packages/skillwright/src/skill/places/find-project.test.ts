import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asNobody } from '../../../test/as-nobody.ts';
import { makeDirectory, makeSharedDirectory } from '../../../test/make-directory.ts';
import { findProject, isDirectory, isInRuntime } from './find-project.ts';

const directory = { directory: true } as const;

describe('findProject', () => {
  const root = makeSharedDirectory({
    'p/.skillc': directory,
    'p/a/b': directory,
    'p/inner/.skillc': directory,
    'p/inner/c': directory,
    'p/file/.skillc': 'a file, no directory',
    'p/linked/.skillc': { link: '../.skillc' },
    'p/.skillc/runtime/x/.skillc': directory,
    'p/.skillc/skills/s': directory,
    'home/.skillc/runtime/x/.skillc': directory,
    'home/work': directory,
    'home/q/.skillc': directory,
    plain: directory,
    'p/logged/.skillc/logs/demo/access.jsonl': '',
    'logged/.skillc/logs/demo/access.jsonl': '',
    'both/.skillc/logs/demo/access.jsonl': '',
    'both/.skillc/config.toml': '',
    'to-home': { link: 'home' },
    'to-runtime': { link: 'p/.skillc/runtime/x' },
  });

  test.each([
    ['p', 'p'],
    ['p/a/b', 'p'],
    ['p/missing/deeper', 'p'],
    ['p/inner/c', 'p/inner'],
    ['p/file', 'p'],
    ['p/linked', 'p/linked'],
    ['p/.skillc/skills/s', 'p'],
    ['p/.skillc/runtime/x', 'p'],
    ['p/.skillc/runtime/x/.skillc', 'p'],
    ['home/q', 'home/q'],
    ['home', undefined],
    ['home/work', undefined],
    ['home/.skillc/runtime/x', undefined],
    ['to-home/work', undefined],
    ['to-runtime', undefined],
    ['plain', undefined],
    ['p/logged', 'p'],
    ['logged', undefined],
    ['both', 'both'],
  ])('from %s it is %s', (cwd, project) => {
    const expected = project === undefined ? undefined : join(root, project);
    expect(findProject(join(root, cwd), join(root, 'home'))).toBe(expected);
  });

  test('the home directory is no project, however it is spelled', () => {
    expect(findProject(join(root, 'home/work'), join(root, 'to-home'))).toBeUndefined();
    expect(findProject(join(root, 'home/work'), `${join(root, 'home')}/`)).toBeUndefined();
    expect(findProject(join(root, 'home/work'), join(root, 'no-such-home'))).toBe(join(root, 'home'));
  });

  test('a directory that may not be looked into is no project', (context) => {
    const root = makeDirectory({ 'closed/.skillc': directory });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'closed'), 0);
    expect(asNobody(context, () => findProject(join(root, 'closed'), '/nowhere'))).toBeUndefined();
    chmodSync(join(root, 'closed'), 0o700);
  });
});

test.each([
  ['/p/.skillc/runtime/x', true],
  ['/p/.skillc/runtime/x/y', true],
  ['/p/.skillc/runtime', true],
  ['/p/.skillc/runtimes/x', false],
  ['/p/runtime/x', false],
  ['/p/.skillc', false],
])('%s is in a runtime directory: %s', (path, inside) => {
  expect(isInRuntime(path)).toBe(inside);
});

test('isDirectory never throws', () => {
  const root = makeDirectory({
    dir: directory,
    link: { link: 'dir' },
    file: '',
    dangling: { link: 'none' },
    loop: { link: 'loop' },
  });
  const paths = ['dir', 'link', 'file', 'dangling', 'loop', 'none', 'file/x', 'n'.repeat(300), 'a\0b'];
  expect(paths.map((path) => isDirectory(join(root, path)))).toEqual([true, true, ...Array(7).fill(false)]);
});
