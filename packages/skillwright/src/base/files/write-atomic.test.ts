import { chmodSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asNobody } from '../../../test/as-nobody.ts';
import { makeDirectory } from '../../../test/make-directory.ts';
import { isIgnoredName } from './walk-tree.ts';
import { discardTemporary, temporaryBeside, writeFileAtomic } from './write-atomic.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('writeFileAtomic', () => {
  test('writes text and bytes, makes directories and leaves nothing else behind', () => {
    const root = makeDirectory({ 'old.txt': 'a much longer old content' });
    writeFileAtomic(join(root, 'old.txt'), 'new');
    writeFileAtomic(join(root, 'a/b/c.bin'), new Uint8Array([0, 255]));
    expect(readFileSync(join(root, 'old.txt'), 'utf8')).toBe('new');
    expect(readFileSync(join(root, 'a/b/c.bin'))).toEqual(Buffer.from([0, 255]));
    expect(readdirSync(root).toSorted()).toEqual(['a', 'old.txt']);
    expect(readdirSync(join(root, 'a/b'))).toEqual(['c.bin']);
  });

  test('keeps the permissions of the file it replaces, unless told others', () => {
    const root = makeDirectory({ private: 'x', script: 'x', fixed: 'x' });
    chmodSync(join(root, 'private'), 0o600);
    chmodSync(join(root, 'script'), 0o777);
    writeFileAtomic(join(root, 'private'), 'y');
    writeFileAtomic(join(root, 'script'), 'y');
    writeFileAtomic(join(root, 'fixed'), 'y', { mode: 0o640 });
    writeFileAtomic(join(root, 'made'), 'y', { mode: 0o600 });
    expect(['private', 'script', 'fixed', 'made'].map((name) => modeOf(join(root, name)))).toEqual([
      '600',
      '777',
      '640',
      '600',
    ]);
  });

  test('replaces a link, not what it leads to', () => {
    const root = makeDirectory({ target: 'old', link: { link: 'target' } });
    writeFileAtomic(join(root, 'link'), 'new');
    expect(lstatSync(join(root, 'link')).isFile()).toBe(true);
    expect(readFileSync(join(root, 'target'), 'utf8')).toBe('old');
  });

  test('takes a name as long as the file system allows', () => {
    const path = join(makeDirectory(), 'n'.repeat(255));
    writeFileAtomic(path, 'x');
    expect(readFileSync(path, 'utf8')).toBe('x');
  });

  test.each([
    ['directory', /is a directory|not empty|already exists/],
    ['file/x', /a part of the path is not a directory|already exists/],
    ['file/x/y', /a part of the path is not a directory|already exists/],
    ['n'.repeat(256), /the name is too long/],
    ['a\0b', /the name is not allowed here/],
  ])('fails on %j with E016 and leaves what was there', (path, why) => {
    const root = makeDirectory({ 'directory/kept': 'kept', file: 'kept' });
    const place = join(root, path);
    expect(() => writeFileAtomic(place, 'new')).toThrow(expect.objectContaining({ code: 'E016' }));
    expect(() => writeFileAtomic(place, 'new')).toThrow(why);
    expect(readdirSync(root).toSorted()).toEqual(['directory', 'file']);
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('kept');
    expect(readFileSync(join(root, 'directory/kept'), 'utf8')).toBe('kept');
  });

  test('fails where it may not write', (context) => {
    const root = makeDirectory({ 'closed/file': 'kept' });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'closed'), 0o555);
    const place = join(root, 'closed/file');
    expect(() => asNobody(context, () => writeFileAtomic(place, 'new'))).toThrow(
      `cannot write '${place}': permission denied`,
    );
    expect(readdirSync(join(root, 'closed'))).toEqual(['file']);
    expect(readFileSync(place, 'utf8')).toBe('kept');
    chmodSync(join(root, 'closed'), 0o755);
  });
});

test('a temporary is beside its file, hidden, and never the same twice', () => {
  const [first, second] = [temporaryBeside(join('/a/b.md')), temporaryBeside(join('/a/b.md'))];
  expect(dirname(first)).toBe(join('/a'));
  expect(isIgnoredName(basename(first))).toBe(true);
  expect(basename(first)).toMatch(/^\.b\.md\.\d+-[0-9a-f]{8}\.tmp$/);
  expect(first).not.toBe(second);
});

test('discardTemporary removes files and directories, and never fails', () => {
  const root = makeDirectory({ file: '', 'directory/x': '' });
  for (const path of ['directory', 'none', 'file/x', 'n'.repeat(300)]) discardTemporary(join(root, path));
  expect(readdirSync(root)).toEqual(['file']);
});
