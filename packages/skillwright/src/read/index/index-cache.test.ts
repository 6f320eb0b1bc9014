import {
  copyFileSync,
  existsSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { buildIndex } from './build-index.ts';
import { indexPath } from './database.ts';
import { createIndexCache } from './index-cache.ts';

function makeSkill(text = '# One\n') {
  const root = makeDirectory({ 'skill/SKILL.md': text });
  const place = {
    sourceDir: join(root, 'skill'),
    indexDir: join(root, 'runtime'),
    tokenizer: 'porter',
  } as const;
  const build = () => buildIndex({ ...place, now: new Date() });
  build();
  return { place: { skill: 'skill', ...place }, build, path: indexPath(place.indexDir, place.sourceDir) };
}

test('the same index is opened once', () => {
  const cache = createIndexCache();
  const { place } = makeSkill();
  const first = cache.open(place);
  expect(cache.open(place)).toBe(first);
  cache.close();
  expect(() => first.headings()).toThrow();
});

test('opens a replaced file again, and closes the old one', () => {
  const cache = createIndexCache();
  const { place, build } = makeSkill();
  const first = cache.open(place);
  writeFileSync(join(place.sourceDir, 'SKILL.md'), '# Two\n');
  build();
  const second = cache.open(place);
  expect(second.headings().map(({ text }) => text)).toEqual(['Two']);
  expect(() => first.headings()).toThrow();
  cache.close();
});

test('opens a file with the same content but another inode again', () => {
  const cache = createIndexCache();
  const { place, path } = makeSkill();
  const first = cache.open(place);
  copyFileSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
  expect(cache.open(place)).not.toBe(first);
  cache.close();
});

test('a missing file is E002 and is not cached', () => {
  const cache = createIndexCache();
  const { place, build, path } = makeSkill();
  cache.open(place);
  rmSync(path);
  expect(() => cache.open(place)).toThrow(expect.objectContaining({ code: 'E002' }));
  build();
  expect(cache.open(place).headings()).toHaveLength(1);
  cache.close();
});

test('another tokenizer is another index', () => {
  const cache = createIndexCache();
  const { place } = makeSkill();
  cache.open(place);
  expect(() => cache.open({ ...place, tokenizer: 'unicode' })).toThrow(
    expect.objectContaining({ code: 'E002' }),
  );
  cache.close();
});

test('closes the least recently used one', () => {
  const cache = createIndexCache(2);
  const [a, b, c] = [makeSkill('# A\n'), makeSkill('# B\n'), makeSkill('# C\n')];
  const first = cache.open(a.place);
  const second = cache.open(b.place);
  cache.open(a.place);
  cache.open(c.place);
  expect(first.headings().map(({ text }) => text)).toEqual(['A']);
  expect(() => second.headings()).toThrow();
  cache.close();
});

test.runIf(process.platform === 'linux')('with copies, the file itself is not kept open', () => {
  const cache = createIndexCache(64, { copies: true });
  const { place, path } = makeSkill();
  const index = cache.open(place);
  expect(index.headings().map(({ text }) => text)).toEqual(['One']);
  const opened = () =>
    readdirSync('/proc/self/fd').flatMap((name) => {
      try {
        return [readlinkSync(`/proc/self/fd/${name}`)];
      } catch {
        return [];
      }
    });
  expect(opened()).not.toContain(path);
  const copy = opened().find((file) => file.includes('skc-index-'))!;
  cache.close();
  expect([existsSync(copy), existsSync(path)]).toEqual([false, true]);
});

test('closing an index removes it', () => {
  const cache = createIndexCache();
  const { place } = makeSkill();
  const first = cache.open(place);
  first.close();
  expect(cache.open(place)).not.toBe(first);
  cache.close();
});
