import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeSharedDirectory } from '../../../test/make-directory.ts';
import { compareBytes, namesIn, sortByBytes } from './compare-paths.ts';

test('orders by UTF-8 bytes', () => {
  const words = [
    '',
    'A',
    'a',
    'a-b',
    'a.md',
    'a/b',
    'ab',
    'z',
    'é',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '😀',
    '😁',
    '😁a',
  ];
  const byBytes = words.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(words.toReversed().sort(compareBytes)).toEqual(byBytes);
  expect(byBytes).toEqual(words);
});

test.each([
  ['a', 'a', 0],
  ['a', 'b', -1],
  ['b', 'a', 1],
  ['a', 'ab', -1],
  ['\uffff', '😀', -1],
  ['😀', '\uffff', 1],
])('%j against %j', (a, b, sign) => {
  expect(Math.sign(compareBytes(a, b))).toBe(sign);
});

test('sorts items as it compares them, with and without characters beyond the basic plane', () => {
  for (const names of [
    ['b', 'a', 'a/b', 'a.md', ''],
    ['😀', '\uffff', 'b', 'é'],
    ['a', 'b'],
    ['b', 'a', 'b'],
    [],
  ])
    expect(
      sortByBytes(
        names.map((name) => ({ name })),
        ({ name }) => name,
      ),
    ).toEqual(names.toSorted(compareBytes).map((name) => ({ name })));
});

const listed = makeSharedDirectory({ b: '', B: '', '.hidden': '', 'a/x': '' });

test('visible names in bytewise order', () => {
  expect(namesIn(listed)).toEqual(['B', 'a', 'b']);
});

test('the names that match', () => {
  expect(namesIn(listed, (name) => name.length > 1)).toEqual(['.hidden']);
});

test.each(['missing', 'b'])('none in what is not a directory: %s', (name) => {
  expect(namesIn(join(listed, name))).toEqual([]);
});
