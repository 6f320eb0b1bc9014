import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoteWord } from './format-count.ts';

test.for([
  ['pdf-forms', 'pdf-forms'],
  ['./a/ü@1:b+c', './a/ü@1:b+c'],
  ['', "''"],
  ['a b', "'a b'"],
  ['-x', "'-x'"],
  ['$(id)', "'$(id)'"],
  ["it's; id", "'it'\\''s; id'"],
  ['a\u202eb\n', "'a\\u202eb\\n'"],
] as const)('%j', ([text, word]) => {
  expect(quoteWord(text)).toBe(word);
});

test('a shell takes it as one word', () => {
  for (const text of [
    '$(id)',
    '`id`',
    "';id;'",
    '"',
    '$HOME',
    '\\',
    '~',
    '*',
    '!!',
    '#x',
    'a&b',
    'a|b',
    '<x',
  ])
    expect(spawnSync('/bin/sh', ['-c', `printf %s ${quoteWord(text)}`], { encoding: 'utf8' }).stdout).toBe(
      text,
    );
});
