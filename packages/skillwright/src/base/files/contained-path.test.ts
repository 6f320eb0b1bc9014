import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asNobody } from '../../../test/as-nobody.ts';
import { makeDirectory, makeSharedDirectory } from '../../../test/make-directory.ts';
import {
  isInside,
  isSpelledAsListed,
  joinInside,
  openCompared,
  readFileInside,
  readInside,
  resolveInside,
} from './contained-path.ts';
import { isEvalFile } from './walk-tree.ts';

/** The message of what is thrown, or what is given. */
function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as Error).message;
  }
}

const escapeOf = (path: string) => `path escapes skill root: '${path}'`;

describe('isInside', () => {
  test.each([
    ['/a', '/a', true],
    ['/a', '/a/b', true],
    ['/a', '/a/..b', true],
    ['/a', '/a/...', true],
    ['/', '/etc', true],
    ['/a', '/ab', false],
    ['/a', '/', false],
    ['/a/b', '/a', false],
    ['/a', '/b/a', false],
  ])('%s holds %s: %s', (root, path, inside) => {
    expect(isInside(root, path)).toBe(inside);
  });
});

describe('joinInside', () => {
  test.each([
    ['', '/skill'],
    ['.', '/skill'],
    ['./a', '/skill/a'],
    ['a/b.md', '/skill/a/b.md'],
    ['a//b/', '/skill/a/b/'],
    ['..a', '/skill/..a'],
    ['a..b/c', '/skill/a..b/c'],
    ['%2e%2e/x', '/skill/%2e%2e/x'],
    ['~/x', '/skill/~/x'],
    ['a/b:c', '/skill/a/b:c'],
  ])('%j is %s', (path, joined) => {
    expect(joinInside('/skill', path).replaceAll(sep, '/')).toBe(joined);
  });

  test.each([
    '..',
    '../x',
    'a/..',
    'a/../b',
    'a/../../x',
    './..',
    '/etc/passwd',
    '/skill/a',
    '//host/share',
    '\\x',
    '\\\\host\\share',
    'a\\..\\b',
    '..\\x',
    'C:\\x',
    'c:x',
    'C:/x',
  ])('%j is refused', (path) => {
    expect(outcome(() => joinInside('/skill', path))).toBe(escapeOf(path));
  });

  test('refuses NUL, and shows it', () => {
    expect(outcome(() => joinInside('/skill', 'a\0b'))).toBe(escapeOf('a\\u0000b'));
  });
});

describe('resolveInside', () => {
  const root = makeSharedDirectory({
    'skill/SKILL.md': 'x',
    'skill/refs/deep/a.md': 'a',
    'skill/inner': { link: 'refs/deep' },
    'skill/chain': { link: 'inner/a.md' },
    'skill/self': { link: '.' },
    'skill/out': { link: '../secret' },
    'skill/out-file': { link: '../secret/key' },
    'skill/absolute': { link: '/etc/passwd' },
    'skill/out-chain': { link: 'out' },
    'skill/back': { link: '../skill/refs' },
    'skill/loop-a': { link: 'loop-b' },
    'skill/loop-b': { link: 'loop-a' },
    'skill/dangling': { link: 'nowhere' },
    'skill/dangling-out': { link: '../nowhere' },
    'secret/key': 'secret',
    'skill-twin/key': 'twin',
    'skill/twin': { link: '../skill-twin/key' },
    linked: { link: 'skill' },
  });

  test.each([
    ['SKILL.md', 'skill/SKILL.md'],
    ['', 'skill'],
    ['inner/a.md', 'skill/refs/deep/a.md'],
    ['chain', 'skill/refs/deep/a.md'],
    ['self/self/SKILL.md', 'skill/SKILL.md'],
    ['back/deep', 'skill/refs/deep'],
  ])('%j is the real %s, also when the root is a link', (path, real) => {
    expect(resolveInside(join(root, 'skill'), path)).toBe(join(root, real));
    expect(resolveInside(join(root, 'linked'), path)).toBe(join(root, real));
  });

  test.each(['out', 'out/key', 'out-file', 'absolute', 'out-chain/key', 'twin', 'self/out/key'])(
    '%s leads out',
    (path) => {
      expect(outcome(() => resolveInside(join(root, 'skill'), path))).toBe(escapeOf(path));
      expect(outcome(() => resolveInside(join(root, 'linked'), path))).toBe(escapeOf(path));
    },
  );

  test.each(['missing', 'missing/x', 'SKILL.md/x', 'SKILL.md/', 'dangling', 'dangling-out', 'refs/a'])(
    '%s is not there',
    (path) => {
      expect(resolveInside(join(root, 'skill'), path)).toBeUndefined();
    },
  );

  test('a root that is not there holds nothing', () => {
    expect(resolveInside(join(makeDirectory(), 'none'), 'x')).toBeUndefined();
  });

  test.each([
    ['loop-a', "cannot read 'loop-a': too many symbolic links"],
    ['loop-a/x', "cannot read 'loop-a/x': too many symbolic links"],
    ['n'.repeat(300), `cannot read '${'n'.repeat(300)}': the name is too long`],
  ])('%s cannot be read', (path, message) => {
    expect(outcome(() => resolveInside(join(root, 'skill'), path))).toBe(message);
  });
});

describe('isEvalFile', () => {
  test.each([
    ['evals/any.md', true],
    ['eval_queries.json', true],
    ['refs/eval_queries.json', true],
    ['evals/evals.json', true],
    ['refs/evals/evals.json', true],
    ['refs/evals/questions.json', true],
    ['refs/evals/any.md', false],
    ['my-evals/any.md', false],
    ['eval_queries.json.md', false],
    ['my-eval_queries.json', false],
    ['refs/evals/evals.json.md', false],
    ['refs/my-evals/evals.json', false],
    ['evals.json', false],
  ])('%s: %s', (path, isEval) => {
    expect(isEvalFile(path)).toBe(isEval);
  });
});

describe('isSpelledAsListed', () => {
  const dir = makeSharedDirectory({ 'Refs/a.md': 'text', 'caf\u00e9.md': 'text' });
  test.each([
    ['Refs/a.md', true],
    ['./Refs/a.md', true],
    ['Refs//a.md', true],
    ['Refs/../Refs/a.md', true],
    ['cafe\u0301.md', true],
    ['refs/a.md', false],
    ['Refs/A.md', false],
    ['Refs\\a.md', false],
  ])('%j: %s', (path, isListed) => {
    const systems = ['win32', 'darwin', 'linux'] as const;
    expect(systems.map((system) => isSpelledAsListed(dir, path, system))).toEqual([isListed, isListed, true]);
  });
});

describe('openCompared', () => {
  const dir = makeSharedDirectory({ 'a.md': 'text', 'link.md': { link: 'a.md' } });

  test('opens a file', () => {
    const descriptor = openCompared(join(dir, 'a.md')) as number;
    expect(readFileSync(descriptor, 'utf8')).toBe('text');
    closeSync(descriptor);
  });

  test('opens no link', () => {
    expect(openCompared(join(dir, 'link.md'))).toBe('link');
  });
});

describe('readInside', () => {
  const limits = { maxBytes: 10 };

  test('gives the bytes, through links that stay inside', () => {
    const root = makeDirectory({ 'a.bin': new Uint8Array([0, 255]), link: { link: 'a.bin' }, empty: '' });
    expect(readInside(root, 'a.bin', limits)).toEqual(Buffer.from([0, 255]));
    expect(readInside(root, 'link', limits)).toEqual(Buffer.from([0, 255]));
    expect(readInside(root, 'empty', limits)).toEqual(Buffer.from([]));
    expect(readInside(root, 'none', limits)).toBeUndefined();
  });

  test.each([
    ['out', escapeOf('out')],
    ['../x', escapeOf('../x')],
    ['directory', "cannot read 'directory': not a regular file"],
    ['pipe', "cannot read 'pipe': not a regular file"],
    ['exact', Buffer.from('0123456789')],
    ['large', "cannot read 'large': larger than 10 bytes"],
  ])('%s', (path, expected) => {
    const root = makeDirectory({
      out: { link: '/dev/zero' },
      directory: { directory: true },
      exact: '0123456789',
      large: '0123456789a',
    });
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(outcome(() => readInside(root, path, limits))).toEqual(expected);
  });

  test.skipIf(process.platform === 'win32')('says whether a file is executable', () => {
    const dir = makeDirectory({ 'run.sh': '', 'refs/read.md': '' });
    chmodSync(join(dir, 'run.sh'), 0o700);
    chmodSync(join(dir, 'refs/read.md'), 0o600);
    const isExecutable = (path: string) => readFileInside(dir, path, { maxBytes: 9 })?.executable;
    expect(['run.sh', 'refs/read.md', 'none'].map(isExecutable)).toEqual([true, false, undefined]);
  });

  test.runIf(process.platform === 'linux')('leaves no file open', () => {
    const dir = makeDirectory({ 'SKILL.md': 'text', 'refs/a.md': 'text', 'large.md': 'x'.repeat(200) });
    const countOpen = () => readdirSync('/proc/self/fd').length;
    const read = (path: string) => outcome(() => readInside(dir, path, { maxBytes: 100 })?.toString());
    expect([read('SKILL.md'), read('refs/a.md')]).toEqual(['text', 'text']);
    const before = countOpen();
    for (let round = 0; round < 50; round++)
      for (const path of ['SKILL.md', 'refs/a.md', 'large.md']) read(path);
    expect(countOpen() - before).toBeLessThan(25);
  });

  test('says when permissions are missing', (context) => {
    const root = makeDirectory({ 'closed.md': 'x', 'closed/x.md': 'x' });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'closed.md'), 0);
    chmodSync(join(root, 'closed'), 0);
    const read = (path: string) => asNobody(context, () => outcome(() => readInside(root, path, limits)));
    expect(read('closed.md')).toBe("cannot read 'closed.md': permission denied");
    expect(read('closed/x.md')).toBe("cannot read 'closed/x.md': permission denied");
    chmodSync(join(root, 'closed'), 0o700);
  });

  test('never gives a byte from outside while a directory is swapped for a link', () => {
    const root = makeDirectory({ 'skill/refs/a.md': 'inside', 'secret/a.md': 'SECRET' });
    const skill = join(root, 'skill');
    symlinkSync('../secret', join(skill, 'evil'));
    // Both states of the race, in turn; a swap within one call gives one of these two as well.
    const swap = (from: string, to: string) => renameSync(join(skill, from), join(skill, to));
    const read = () => outcome(() => readInside(skill, 'refs/a.md', limits)?.toString());
    expect(read()).toBe('inside');
    swap('refs', 'aside');
    swap('evil', 'refs');
    expect(read()).toBe(escapeOf('refs/a.md'));
    swap('refs', 'evil');
    swap('aside', 'refs');
    expect(read()).toBe('inside');
  });
});
