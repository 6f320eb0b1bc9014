import { chmodSync, chownSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asNobody } from '../../../test/as-nobody.ts';
import { makeDirectory, makeSharedDirectory } from '../../../test/make-directory.ts';
import { isDirectory } from '../../base/files/paths.ts';
import { findProject, isInRuntime, projectDirectories, storeAt } from './project.ts';

const directory = { directory: true } as const;

const findDir = (cwd: string, home: string, env = {}) => findProject({ cwd, home, env })?.dir;

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
    ['p/linked', 'p'],
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
    expect(findDir(join(root, cwd), join(root, 'home'))).toBe(expected);
  });

  test('the home directory is not a project, however it is spelled', () => {
    expect(findDir(join(root, 'home/work'), join(root, 'to-home'))).toBeUndefined();
    expect(findDir(join(root, 'home/work'), `${join(root, 'home')}/`)).toBeUndefined();
    expect(findDir(join(root, 'home/work'), join(root, 'no-such-home'))).toBe(join(root, 'home'));
  });

  test('an unreadable directory is not a project', (context) => {
    const root = makeDirectory({ 'closed/.skillc': directory });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'closed'), 0);
    expect(asNobody(context, () => findDir(join(root, 'closed'), '/nowhere'))).toBeUndefined();
    chmodSync(join(root, 'closed'), 0o700);
  });
});

describe('one definition of a project', () => {
  const root = makeSharedDirectory({
    'outer/.skillc/config.toml': '',
    'outer/repository/.git': 'gitdir: elsewhere',
    'outer/repository/deep': directory,
    'plain/.jj': directory,
    'plain/nested/.git': directory,
    'plain/nested/deep': directory,
    'home/.git': directory,
    'home/work': directory,
    'home/marked/TOP-OF-ALL': '',
    'home/marked/deep': directory,
  });
  const find = (cwd: string, env = {}, marks?: readonly string[]) => {
    const project = findProject({ cwd: join(root, cwd), home: join(root, 'home'), env }, marks);
    return project && { ...project, dir: project.dir.slice(root.length + 1).replaceAll(sep, '/') };
  };

  test.each([
    ['outer/repository/deep', { dir: 'outer', mark: '.skillc' }],
    ['plain/nested/deep', { dir: 'plain/nested', mark: '.git' }],
    ['plain', { dir: 'plain', mark: '.jj' }],
    ['home/work', undefined],
    ['home', undefined],
  ])('%s', (cwd, expected) => {
    expect(find(cwd)).toEqual(expected);
  });

  test('the environment can name it, and other marks can be configured', () => {
    const env = { SKC_AGENTS_ROOT: join(root, 'plain') };
    expect(find('outer', env)).toEqual({ dir: 'plain', mark: 'SKC_AGENTS_ROOT' });
    expect(find('home/marked/deep', {}, ['TOP-OF-ALL'])).toEqual({ dir: 'home/marked', mark: 'TOP-OF-ALL' });
    expect(find('plain/nested/deep', {}, ['TOP-OF-ALL'])).toBeUndefined();
  });

  test.each([
    ['outer/repository', 'outer', ['outer', 'outer/repository']],
    ['outer', 'plain', ['plain']],
    ['home/work', undefined, ['home/work']],
  ])('in %s of %s, skills are in %j', (cwd, project, expected) => {
    const place = { cwd: join(root, cwd), home: join(root, 'home') };
    const given = project === undefined ? undefined : { dir: join(root, project), mark: '.git' };
    expect(projectDirectories(given, place)).toEqual(expected.map((path) => join(root, path)));
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
  expect(isInRuntime(join(path))).toBe(inside);
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

test('paths of a store', () => {
  expect(storeAt('project', '/p')).toEqual({
    scope: 'project',
    base: '/p',
    root: join('/p', '.skillc'),
    skills: join('/p', '.skillc/skills'),
    runtime: join('/p', '.skillc/runtime'),
    config: join('/p', '.skillc/config.toml'),
    lock: join('/p', '.skillc/lock.json'),
    state: join('/p', '.skillc/state.json'),
    cache: join('/p', '.skillc/cache'),
    backups: join('/p', '.skillc/backups'),
  });
});

describe('a project of another user', () => {
  const STRANGER = 54321;
  const world = () => {
    const root = makeDirectory({
      'shared/.skillc/config.toml': '',
      'shared/mine/x': '',
      home: { directory: true },
    });
    chownSync(join(root, 'shared/.skillc'), STRANGER, STRANGER);
    return root;
  };
  const look = (root: string, cwd: string) => {
    const ignored: string[] = [];
    const where = { cwd: join(root, cwd), home: join(root, 'home'), env: {} };
    const found = findProject(where, ['.none'], (path, why) =>
      ignored.push(`${path.slice(root.length + 1)}: ${why}`),
    );
    return { dir: found?.dir.slice(root.length + 1), ignored };
  };

  // Only root can give files away.
  test.runIf(process.getuid?.() === 0)('above the working directory is not ours, and is named', () => {
    expect(look(world(), 'shared/mine')).toEqual({
      dir: undefined,
      ignored: ['shared/.skillc: it belongs to another user, so the directory is not a project'],
    });
  });

  test.runIf(process.getuid?.() === 0)('is the project of those who work in a directory of that user', () => {
    const root = world();
    chownSync(join(root, 'shared/mine'), STRANGER, STRANGER);
    expect(look(root, 'shared/mine')).toEqual({ dir: 'shared', ignored: [] });
  });
});
