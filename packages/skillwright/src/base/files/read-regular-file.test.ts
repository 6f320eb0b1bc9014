import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { formatBytes, readRegularFile } from './read-text.ts';

describe('readRegularFile', () => {
  test('reads files and links to files, and knows when nothing is there', () => {
    const root = makeDirectory({ 'a.txt': 'abc', link: { link: 'a.txt' }, dangling: { link: 'none' } });
    const read = (path: string) => readRegularFile(join(root, path), { maxBytes: 3 })?.toString();
    expect(['a.txt', 'link', 'dangling', 'none', 'a.txt/x'].map(read)).toEqual([
      'abc',
      'abc',
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each([
    ['large', 'larger than 3 bytes'],
    ['directory', 'not a regular file'],
    ['zero', 'not a regular file'],
    ['pipe', 'not a regular file'],
    ['loop', 'too many symbolic links'],
  ])('%s: %s', (path, why) => {
    const root = makeDirectory({
      large: 'abcd',
      directory: { directory: true },
      zero: { link: '/dev/zero' },
      loop: { link: 'loop' },
    });
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(() => readRegularFile(join(root, path), { maxBytes: 3 })).toThrow(
      `cannot read '${join(root, path)}': ${why}`,
    );
  });
});

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [20 * 1024, '20 KiB'],
  [5 * 1024 * 1024, '5 MiB'],
  [1024 * 1024 * 1.25, '1.3 MiB'],
  [100 * 1024 * 1024, '100 MiB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
