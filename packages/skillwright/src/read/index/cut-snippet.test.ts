import { expect, test } from 'vitest';
import { scannerFor } from '../../base/words/index.ts';
import { createSnippetCutter } from './cut-snippet.ts';
import { readQuery } from './search-sections.ts';

function cut(text: string, query: string): string {
  const scan = scannerFor('porter');
  const words = readQuery(query, scan).words.map(({ word }) => word);
  return createSnippetCutter(
    words,
    words.map(() => 1),
    scan,
  )(text);
}

const filler = (count: number, word: string) => Array.from({ length: count }, () => word).join(' ');

test.each([
  [
    'marks the words of the original',
    'Installing\n\n  Packages is easy.',
    'install package',
    '[MATCH]Installing[/MATCH] [MATCH]Packages[/MATCH] is easy.',
  ],
  [
    'marks an identifier as one',
    'Set `max_tokens` to 5',
    'max_tokens',
    'Set `[MATCH]max_tokens[/MATCH]` to 5',
  ],
  ['marks camelCase by its part', 'call getUserName()', 'user', 'call [MATCH]getUserName[/MATCH]()'],
  ['marks inside a run', '我们使用数据库存储', '数据库', '我们使用[MATCH]数据库[/MATCH]存储'],
  ['folds case and accents', 'Die ÜBERSICHT', 'übersicht', 'Die [MATCH]ÜBERSICHT[/MATCH]'],
  ['shows the beginning without a match', 'some text', 'other', 'some text'],
  ['has nothing to show', ' \n', 'other', ''],
])('%s', (_, text, query, expected) => {
  expect(cut(text, query)).toBe(expected);
});

test('cuts 32 words around the best match', () => {
  const text = `alpha ${filler(50, 'x')} alpha beta ${filler(50, 'y')}`;
  const snippet = cut(text, 'alpha beta');
  expect(snippet).toMatch(/^… (x )+\[MATCH\]alpha\[\/MATCH\] \[MATCH\]beta\[\/MATCH\] (y )+…$/);
  expect(snippet.match(/[a-z]+(?!\])/g)?.filter((word) => /^(x|y|alpha|beta)$/.test(word))).toHaveLength(32);
});

test('finds a match at the end of a long text', () => {
  expect(cut(`${filler(20_000, 'x')} needle`, 'needle')).toBe(`… ${filler(31, 'x')} [MATCH]needle[/MATCH]`);
});

test.each([
  [
    'the best passage of a long text',
    `alpha ${filler(2000, 'x')} alpha beta ${filler(2000, 'y')}`,
    'alpha beta',
  ],
  [
    'a word with accents in a long text',
    `${filler(2000, 'x')} Alphá BETÁ ${filler(2000, 'y')}`,
    'alpha beta',
  ],
])('shows %s', (_, text, query) => {
  expect(cut(text, query)).toMatch(/^… (x )+\[MATCH\]alph.\[\/MATCH\] \[MATCH\]bet.\[\/MATCH\] (y )+…$/i);
});
