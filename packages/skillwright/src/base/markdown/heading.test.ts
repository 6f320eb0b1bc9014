import { describe, expect, test } from 'vitest';
import { readMarkdown } from './read-markdown.ts';

function outline(text: string): string[] {
  return readMarkdown(text).headings.map((heading) => `${heading.level} ${heading.text}`);
}

describe('what is a heading', () => {
  test.each<[string, string, string[]]>([
    ['ATX with closing hashes', '# One #\n###### Six ##\n####### seven', ['1 One', '6 Six']],
    ['setext, over several lines', 'One\ntwo\n===\n\nThree\n---', ['1 One two', '2 Three']],
    ['an empty heading', '#\n## ##', ['1 ', '2 ']],
    ['no space after the hash', '#hashtag', []],
    ['code fences', '```\n# a\n```\n~~~~md\n# b\n~~~\n# c\n~~~~\n# Real', ['1 Real']],
    ['a longer fence around a shorter one', '````\n```\n# a\n```\n````\n# Real', ['1 Real']],
    ['a fence that is never closed', '# Real\n```\n# a\n', ['1 Real']],
    ['indented code', '    # a\n\n\t# b\n\n   # Real', ['1 Real']],
    ['HTML blocks and comments', '<div>\n# a\n</div>\n\n<!--\n# b\n\n# c\n-->\n# Real', ['1 Real']],
    ['script blocks with blank lines', '<script>\n\n# a\n\n</script>\n# Real', ['1 Real']],
    ['an escaped hash', '\\# a', []],
    [
      'block quotes and lists',
      '> # a\n\n- # b\n\n  ## c\n\n1. d\n   ===\n\n# e',
      ['1 a', '1 b', '2 c', '1 d', '1 e'],
    ],
    ['a table is not a setext heading', 'a | b\n--- | ---\n1 | 2\n\n# Real', ['1 Real']],
    ['a table does not hide what follows', '| a |\n|---|\n| b |\n# Real', ['1 Real']],
    ['a table with a rule below it', 'a | b\n--- | ---\n1 | 2\n---\n# Real', ['1 Real']],
    ['a table in a list with a rule below it', '- | a |\n  |---|\n  | b |\n  ---\n\n# Real', ['1 Real']],
    [
      'a table after a paragraph, with a line of = below it',
      'x\n| a |\n|---|\n| b |\n===\n# Real',
      ['1 Real'],
    ],
    ['no table: the rows differ in length', '| a | b |\n---', ['2 | a | b |']],
    ['after a definition', '[a]: b\nReal\n===', ['1 Real']],
  ])('%s', (_name, text, expected) => {
    expect(outline(text)).toEqual(expected);
  });
});

test.each<[string, string, string]>([
  ['Use `skc  *show*`', 'Use skc *show*', 'use-skc--show'],
  ['**Bold** _and_ ***both***', 'Bold and both', 'bold-and-both'],
  ['snake_case *stays*', 'snake_case stays', 'snake_case-stays'],
  ['See [the `docs`](a.md "t")', 'See the docs', 'see-the-docs'],
  ['See [ref] and [other][ref]', 'See ref and other', 'see-ref-and-other'],
  ['<https://example.com/a>', 'https://example.com/a', 'httpsexamplecoma'],
  ['![Logo *x*](l.png) Name', 'Logo x Name', '-name'],
  ['R&amp;D &copy; &#x2014; A & B', 'R&D © — A & B', 'rd---a--b'],
  ['Press <kbd>Q</kbd> <!-- x --> now', 'Press Q now', 'press-q--now'],
  ['a \\*b\\* \\# 1 < 2', 'a *b* # 1 < 2', 'a-b--1--2'],
  ['Too   many\u00a0 spaces', 'Too many spaces', 'too---many-spaces'],
  ['Nul \0 byte', 'Nul \ufffd byte', 'nul--byte'],
])('text and anchor of %j', (content, text, anchor) => {
  const [heading] = readMarkdown(`# ${content}\n\n[ref]: x.md`).headings;
  expect({ text: heading?.text, anchor: heading?.anchor }).toEqual({ text, anchor });
});

const plain = { nested: false };

test('sections end before the next heading, of any level or of the same or a higher one', () => {
  const text = 'intro\n# A\na\n### B\nb\n## C\nSetext\ntwice\n---\nc\n# D\n\n';
  expect(readMarkdown(text, { firstLine: 11 }).headings).toEqual([
    { ...plain, level: 1, text: 'A', source: 'A', anchor: 'a', line: 12, endLine: 20, ownEndLine: 13 },
    { ...plain, level: 3, text: 'B', source: 'B', anchor: 'b', line: 14, endLine: 15, ownEndLine: 15 },
    { ...plain, level: 2, text: 'C', source: 'C', anchor: 'c', line: 16, endLine: 16, ownEndLine: 16 },
    {
      ...plain,
      level: 2,
      text: 'Setext twice',
      source: 'Setext twice',
      anchor: 'setexttwice',
      line: 17,
      endLine: 20,
      ownEndLine: 20,
    },
    { ...plain, level: 1, text: 'D', source: 'D', anchor: 'd', line: 21, endLine: 22, ownEndLine: 22 },
  ]);
});

test('repeated headings get different anchors', () => {
  const anchors = readMarkdown('# Foo\n# Foo 1\n# Foo\n# **Foo**').headings.map((heading) => heading.anchor);
  expect(anchors).toEqual(['foo', 'foo-1', 'foo-2', 'foo-3']);
});

test('a section inside a quote or a list item ends with it, and does not end the one around it', () => {
  const text = '# A\n\n> ## Q\n> q\n> # R\n> r\n\nstill A\n\n- # L\n\n  l\n- m\n\n## B\n';
  const lines = readMarkdown(text).headings.map(
    ({ text, line, endLine, nested }) => `${text} ${line}-${endLine}${nested ? ' nested' : ''}`,
  );
  expect(lines).toEqual(['A 1-15', 'Q 3-4 nested', 'R 5-6 nested', 'L 10-12 nested', 'B 15-15']);
});

test('headings are kept up to a limit, and the others counted', () => {
  const { headings, moreHeadings } = readMarkdown(`${'# h\n'.repeat(50_001)}- # listed\n`);
  expect([headings.length, headings.at(-1)?.anchor, moreHeadings]).toEqual([50_000, 'h-49999', 2]);
});

test('a section ends before the next heading, also where that is not kept', () => {
  const text = `# A\n${'### x\n'.repeat(49_999)}#### y\n## B\ntext\n# C\n`;
  const { headings } = readMarkdown(text);
  expect([headings[0]?.endLine, headings.at(-1)?.endLine, headings.at(-1)?.ownEndLine]).toEqual([
    50_003, 50_001, 50_000,
  ]);
});
