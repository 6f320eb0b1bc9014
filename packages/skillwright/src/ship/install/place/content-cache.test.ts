import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asNobody } from '../../../../test/as-nobody.ts';
import { clearedContent } from '../../../../test/cleared-content.ts';
import { makeDirectory, writeTree } from '../../../../test/make-directory.ts';
import { sha256 } from '../../../base/files/hash.ts';
import { storeAt } from '../../../skill/workspace/project.ts';
import { openContentCache } from './content-cache.ts';

const bytes = Buffer.from('some content');
const files = new Map([['SKILL.md', { bytes, executable: false }]]);
const content = await clearedContent(files);
const hex = sha256(bytes);
const place = join('.skillc', 'cache', 'content', hex);

test('written content is read back, by any process', () => {
  const home = makeDirectory();
  openContentCache({ user: storeAt('user', home) }).remember(content);
  openContentCache({ user: storeAt('user', home) }).remember(content);
  expect(openContentCache({ user: storeAt('user', home) }).read(`sha256:${hex}`)).toEqual(bytes);
  expect(readdirSync(join(home, place, '..'))).toEqual([hex]);
});

test.each([`sha256:${'0'.repeat(64)}`, 'sha256:../../x', '', `sha512:${hex}`])(
  '%s is not in the cache',
  (integrity) => {
    expect(openContentCache({ user: storeAt('user', makeDirectory()) }).read(integrity)).toBeUndefined();
  },
);

test('damaged content is dropped, and written again', () => {
  const home = makeDirectory({ [place]: 'something else' });
  const cache = openContentCache({ user: storeAt('user', home) });
  expect(cache.read(`sha256:${hex}`)).toBeUndefined();
  expect(readdirSync(join(home, place, '..'))).toEqual([]);
  writeFileSync(join(home, place), 'damaged again');
  cache.remember(content);
  expect(cache.read(`sha256:${hex}`)).toEqual(bytes);
});

test('a directory in place of content is ignored', () => {
  const home = makeDirectory({ [join(place, 'x')]: 'x' });
  expect(openContentCache({ user: storeAt('user', home) }).read(`sha256:${hex}`)).toBeUndefined();
});

test('a cache that cannot be created is ignored', () => {
  const home = makeDirectory();
  writeTree(home, { '.skillc': 'a file' });
  const cache = openContentCache({ user: storeAt('user', home) });
  cache.remember(content);
  expect(cache.read(`sha256:${hex}`)).toBeUndefined();
});

test('a cache that cannot be read is empty', (context) => {
  const home = makeDirectory();
  openContentCache({ user: storeAt('user', home) }).remember(content);
  chmodSync(join(home, '.skillc'), 0);
  const read = asNobody(context, () =>
    openContentCache({ user: storeAt('user', home) }).read(`sha256:${hex}`),
  );
  chmodSync(join(home, '.skillc'), 0o755);
  expect(read).toBeUndefined();
});
