import { describe, expect, test } from 'vitest';
import { readMarkdown } from './read-markdown.ts';

const text = 'intro <!-- note -->\n\n# Title\n\n```js\n# no\n```\n\n## [Part](p.md)\nend\n';

test.each([
  ['LF', text],
  ['CRLF', text.replaceAll('\n', '\r\n')],
  ['CR', text.replaceAll('\n', '\r')],
  ['no final line ending', text.trimEnd()],
  ['a byte order mark', `\ufeff${text}`],
])('a whole document with %s', (_name, variant) => {
  const { lineCount, headings, codeBlocks, links, comments } = readMarkdown(variant, { firstLine: 5 });
  expect({ lineCount, headings, codeBlocks, links, comments }).toEqual({
    lineCount: 10,
    headings: [
      {
        level: 1,
        text: 'Title',
        source: 'Title',
        nested: false,
        anchor: 'title',
        line: 7,
        endLine: 14,
        ownEndLine: 12,
      },
      {
        level: 2,
        text: 'Part',
        source: '[Part](p.md)',
        nested: false,
        anchor: 'part',
        line: 13,
        endLine: 14,
        ownEndLine: 14,
      },
    ],
    codeBlocks: [{ language: 'js', line: 9, endLine: 11 }],
    links: [{ kind: 'link', target: 'p.md', text: 'Part', line: 13 }],
    comments: [{ text: 'note', line: 5 }],
  });
});

test.each([
  ['', 0],
  ['\ufeff', 0],
  ['\n', 1],
  ['a', 1],
  ['a\n', 1],
  ['a\n\n', 2],
  ['a\r\n\r\n', 2],
  ['a\rb\n\rc', 4],
  ['a\n  ', 2],
  ['a\u2028b\fc\vd\u0085e', 1],
])('%j has %i lines', (lines, count) => {
  expect(readMarkdown(lines).lineCount).toBe(count);
});

test('the same links and comments are given on every access', () => {
  const document = readMarkdown(text);
  expect(document.links).toBe(document.links);
  expect(document.comments).toBe(document.comments);
});

describe('hostile text', () => {
  const size = 1_000_000;
  const fill = (unit: string) => unit.repeat(size / unit.length);

  test.each([
    ['brackets', fill('[')],
    ['image brackets', fill('![')],
    ['unfinished links', fill('[a](')],
    ['nested links', `${'['.repeat(30_000)}${'](a)'.repeat(30_000)}`],
    ['many bracket paragraphs', `${'!['.repeat(30_000)}\n\n`.repeat(16)],
    ['asterisks', fill('*')],
    ['asterisks before a link', `${'*'.repeat(60_000)}](`],
    ['mixed emphasis', fill('*a_ ')],
    ['backticks', Array.from({ length: 1400 }, (_, index) => '`'.repeat(index)).join(' ')],
    ['angle brackets', fill('<')],
    ['unfinished tags', fill('<a b="')],
    ['unfinished comments', fill('a <!-- ')],
    ['comments on one line', fill('<!-- x --> ')],
    ['quotes', fill('>')],
    ['nested lists on one line', fill('- * ')],
    ['ever deeper lists', Array.from({ length: 1000 }, (_, index) => `${' '.repeat(index)}- a`).join('\n')],
    ['table rows', `|a|\n|-|\n${fill('|`[a](')}`],
    ['delimiters without a table', `|a\n${fill('-')}x](`],
    ['NUL characters', fill('\0')],
    ['carriage returns', fill('\r')],
    ['ampersands', fill('&#')],
    ['backslashes', fill('\\')],
    ['one long heading', `# ${fill('*a ')}`],
    ['lone surrogates', fill('\ud83d *x*\n\n')],
  ])('%s are read to the end', (_name, hostile) => {
    const document = readMarkdown(`${hostile}\n\n# End\n\n[last](x.md)\n`);
    expect(document.headings.at(-1)?.text).toBe('End');
    expect(document.links.at(-1)?.target).toBe('x.md');
  });
});

test('too long for one go, a paragraph is read line by line, except lines that are too long themselves', () => {
  const row = '| [a](b.md) | `x` |\n';
  const long = `${row.repeat(5000)}[c](d.md)${' x'.repeat(40_000)}\n[e](f.md)`;
  const links = readMarkdown(long).links;
  expect(links.length).toBe(5001);
  expect(links.slice(-2)).toEqual([
    { kind: 'link', target: 'b.md', text: 'a', line: 5000 },
    { kind: 'link', target: 'f.md', text: 'e', line: 5002 },
  ]);
});
