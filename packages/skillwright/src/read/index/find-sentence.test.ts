import { expect, test } from 'vitest';
import { splitBlocks, splitSentences } from './find-sentence.ts';
import type { TextKind } from './section.ts';

const piecesOf = (text: string, kind: TextKind = 'prose') =>
  [...splitBlocks(text, kind)].flatMap((block) =>
    Array.from(splitSentences(text, block), ({ from, to }) => `${block.kind}: ${text.slice(from, to)}`),
  );

test.each<[what: string, text: string, pieces: string[]]>([
  ['nothing', '\n \n', []],
  ['sentences', 'One. Two!\nstill two? "Three."\n', ['One.', 'Two!', 'still two?', '"Three."']],
  ['a sentence over lines', 'One\ngoes on.\n\nTwo', ['One\ngoes on.', 'Two']],
  ['version numbers', 'Needs v1.2 or e.g.x.', ['Needs v1.2 or e.g.x.']],
  ['list items', '- one\n  goes on\n* [x] two\n2. three\n> four', ['one\n  goes on', 'two', 'three', 'four']],
  ['rules and tags', 'one\n\n---\n<br>\n\ntwo', ['one', 'two']],
  ['no spaces', '一。二', ['一。', '二']],
  ['Windows line ends', 'One.\r\nTwo.\r\n', ['One.', 'Two.']],
])('%s', (_, text, pieces) => {
  expect(piecesOf(text)).toEqual(pieces.map((piece) => `prose: ${piece}`));
});

test('code and tables are split by line', () => {
  const text = 'Run:\n```sh\nnpm ci\n\n  npm test\n```\n| a | b |\n|---|---|\n| c | d |\nDone.';
  expect(piecesOf(text)).toEqual([
    'prose: Run:',
    'line: npm ci',
    'line: npm test',
    'line: | a | b |',
    'line: | c | d |',
    'prose: Done.',
  ]);
});

test('other files are split by line', () => {
  expect(piecesOf('a = 1. b\n\nc\n', 'code')).toEqual(['line: a = 1. b', 'line: c']);
});
