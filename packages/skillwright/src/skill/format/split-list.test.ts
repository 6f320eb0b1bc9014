import { expect, test } from 'vitest';
import { splitCommas, splitWords } from './split-list.ts';

test.each<[string, string[]]>([
  ['', []],
  ['Read', ['Read']],
  ['Bash(git:*) Read', ['Bash(git:*)', 'Read']],
  ['Read, Glob,Grep', ['Read', 'Glob', 'Grep']],
  ['Bash(npm run test:*), Read', ['Bash(npm run test:*)', 'Read']],
  ['  a \n b\t,, c ', ['a', 'b', 'c']],
  ['Bash(a Read', ['Bash(a Read']],
  [') a', [')', 'a']],
])('words of %j', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

test.each<[string, string[]]>([
  ['machine learning, ci', ['machine learning', 'ci']],
  ['src/**/*.{ts,tsx}, docs/**', ['src/**/*.{ts,tsx}', 'docs/**']],
  [' , ', []],
])('parts of %j', (text, parts) => {
  expect(splitCommas(text)).toEqual(parts);
});
