import { expect, test } from 'vitest';
import { mergeText } from './merge-files.ts';

const base = 'one\ntwo\nthree\nfour\nfive\n';

const cases: readonly [string, { base?: string; mine: string; theirs: string }, string | undefined][] = [
  ['no changes', { mine: base, theirs: base }, base],
  ['only here', { mine: 'one!\ntwo\nthree\nfour\nfive\n', theirs: base }, 'one!\ntwo\nthree\nfour\nfive\n'],
  ['only there', { mine: base, theirs: 'one\ntwo\nthree\nfour\nfive!\n' }, 'one\ntwo\nthree\nfour\nfive!\n'],
  [
    'different lines',
    { mine: 'one!\ntwo\nthree\nfour\nfive\n', theirs: 'one\ntwo\nthree\nfour\nfive!\n' },
    'one!\ntwo\nthree\nfour\nfive!\n',
  ],
  [
    'the same change on both sides, and more there',
    { mine: 'one!\ntwo\nthree\nfour\nfive\n', theirs: 'one!\ntwo\nthree\nfour\nfive!\n' },
    'one!\ntwo\nthree\nfour\nfive!\n',
  ],
  [
    'the same line changed differently',
    { mine: 'one\nTWO\nthree\nfour\nfive\n', theirs: 'one\nzwei\nthree\nfour\nfive\n' },
    undefined,
  ],
  [
    'deleted here, changed there',
    { mine: 'one\nthree\nfour\nfive\n', theirs: 'one\nzwei\nthree\nfour\nfive\n' },
    undefined,
  ],
  ['added at both ends', { mine: `zero\n${base}`, theirs: `${base}six\n` }, `zero\n${base}six\n`],
  [
    'no final line ending',
    { base: 'a\nb\nc\nd', mine: 'A\nb\nc\nd', theirs: 'a\nb\nc\nd\n' },
    'A\nb\nc\nd\n',
  ],
  [
    'CRLF stays CRLF',
    { base: 'a\r\nb\r\nc\r\nd\r\n', mine: 'A\r\nb\r\nc\r\nd\r\n', theirs: 'a\r\nb\r\nc\r\nD\r\n' },
    'A\r\nb\r\nc\r\nD\r\n',
  ],
  ['different line endings', { base: 'a\nb\n', mine: 'a\r\nb\r\n', theirs: 'a\nB\n' }, undefined],
  ['from an empty base', { base: '', mine: 'mine\n', theirs: 'theirs\n' }, undefined],
  ['not text', { base: 'a\0b', mine: 'a\0c', theirs: 'a\0d' }, undefined],
  [
    'conflict markers in the text are text',
    { mine: `<<<<<<< a\n${base}`, theirs: `${base}>>>>>>> b\n` },
    `<<<<<<< a\n${base}>>>>>>> b\n`,
  ],
];

test.each(cases)('%s', (_, { base: from = base, mine, theirs }, expected) => {
  const merged = mergeText({ base: Buffer.from(from), mine: Buffer.from(mine), theirs: Buffer.from(theirs) });
  expect(merged?.toString()).toBe(expected);
});

test('bytes that are not UTF-8 are not merged', () => {
  const merged = mergeText({
    base: Buffer.from([0x61, 0x0a]),
    mine: Buffer.from([0xff, 0x0a]),
    theirs: Buffer.from([0xfe, 0x0a]),
  });
  expect(merged).toBeUndefined();
});
