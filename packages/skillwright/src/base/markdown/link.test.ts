import { describe, expect, test } from 'vitest';
import { readMarkdown } from './read-markdown.ts';

/** Links as `line kind target (text)`. */
function list(text: string): string[] {
  return readMarkdown(text).links.map((link) => `${link.line} ${link.kind} ${link.target} (${link.text})`);
}

describe('links', () => {
  test.each<[string, string, string[]]>([
    ['inline', 'See [a *b*](c.md) and [d]( e.md "title" ).', ['1 link c.md (a b)', '1 link e.md (d)']],
    [
      'titles in each quoting',
      '[a](b "c") [d](e \'f\') [g](h (i))',
      ['1 link b (a)', '1 link e (d)', '1 link h (g)'],
    ],
    ['angle brackets with spaces', '[a](<my file (1).md>)', ['1 link my file (1).md (a)']],
    ['balanced parentheses', '[a](b(c).md)', ['1 link b(c).md (a)']],
    [
      'percent-encoding as written',
      '[a](my%20file.md#%C3%BC) [b](ü.md)',
      ['1 link my%20file.md#%C3%BC (a)', '1 link ü.md (b)'],
    ],
    ['escapes and entities resolved', '[a](b\\_c\\).md?x&amp;y)', ['1 link b_c).md?x&y (a)']],
    ['backslash paths', '[a](dir\\file.md)', ['1 link dir\\file.md (a)']],
    ['an empty target', '[a]() [b](<>)', ['1 link  (a)', '1 link  (b)']],
    [
      'any scheme',
      '[a](mailto:x@y.z) [b](javascript:void0) [c](file:///d) [e](data:,f)',
      [
        '1 link mailto:x@y.z (a)',
        '1 link javascript:void0 (b)',
        '1 link file:///d (c)',
        '1 link data:,f (e)',
      ],
    ],
    [
      'autolinks',
      '<https://x.y/a%20b?ü> <a.b@c.de> <not a link>',
      ['1 link https://x.y/a%20b?ü (https://x.y/a%20b?ü)', '1 link mailto:a.b@c.de (a.b@c.de)'],
    ],
    [
      'images, also inside links',
      '![alt *x*](i.png "t") [![b](c.svg) d](e.md)',
      ['1 image i.png (alt x)', '1 link e.md (b d)', '1 image c.svg (b)'],
    ],
    [
      'an autolink inside a link',
      '[a <https://x.y> b](c.md)',
      ['1 link c.md (a https://x.y b)', '1 link https://x.y (https://x.y)'],
    ],
    ['headings', '# [a](b.md)\n\n[c](d.md)\ne\n---', ['1 link b.md (a)', '3 link d.md (c)']],
    [
      'lists and quotes',
      '- x\n  - y\n    [a](b.md)\n\n> q\nlazy [c](d.md)\n> > [e](f.md)',
      ['3 link b.md (a)', '6 link d.md (c)', '7 link f.md (e)'],
    ],
    [
      'tables',
      '| A | [b](c.md) |\n|---|:-:|\n| ` | [d](e.md) |\n| ` \\| | ![f](g.png) |',
      ['1 link c.md (b)', '3 link e.md (d)', '4 image g.png (f)'],
    ],
    [
      'never from code or HTML',
      '`[a](b)` ``[c`](d)``\n\n    [e](f)\n\n```\n[g](h)\n```\n<div>\n[i](j)\n</div>',
      [],
    ],
    ['never from HTML elements', 'a <a href="b.md">c</a> <img src="d.png">', []],
    ['never escaped', '\\[a](b)\n\n[c\\](d)\n\n\\<https://x.y>', []],
  ])('%s', (_name, text, expected) => {
    expect(list(text)).toEqual(expected);
  });
});

describe('references', () => {
  test.each<[string, string, string[]]>([
    [
      'full, collapsed and shortcut',
      '[x][A] [a][] ![a]\n\n[a]: <b c.md> "t"',
      ['1 link b c.md (x)', '1 link b c.md (a)', '1 image b c.md (a)', '3 definition b c.md (a)'],
    ],
    ['a definition nobody uses', '[Foo  Bar\\]]:\n  x%20y.md', ['1 definition x%20y.md (Foo Bar\\])']],
    [
      'the first of two definitions counts',
      '[a]: 1.md\n[A]: 2.md\n\n[a]',
      ['1 definition 1.md (a)', '4 link 1.md (a)'],
    ],
    [
      'in a quote, label over two lines',
      '> [a\n> b]: c.md\n\n[a b]',
      ['1 definition c.md (a b)', '4 link c.md (a b)'],
    ],
    ['in a list', '1. x\n\n   [a]: b.md', ['3 definition b.md (a)']],
    ['without a definition', '[a] [b][c] [d][]', []],
    ['footnotes are none', 'x[^1] [^2]\n\n[^1]: note\n[^2]: [a](b.md)', ['4 link b.md (a)']],
  ])('%s', (_name, text, expected) => {
    expect(list(text)).toEqual(expected);
  });
});

test('lines are counted through whatever spans several of them', () => {
  const text = [
    '`code',
    'span` <b',
    'title="x"> [a',
    'b](c.md',
    '"title',
    'more") [d](e.md)\\',
    '![f](g.png)  ',
    '[h](i.md)',
  ].join('\n');
  expect(list(text)).toEqual([
    '3 link c.md (a b)',
    '6 link e.md (d)',
    '7 image g.png (f)',
    '8 link i.md (h)',
  ]);
});

test('links that are read without the parser are those the parser finds', () => {
  const pieces = [
    '[a b](x.md)',
    '[a](a_b*c.md#d)',
    ' text * _ ',
    '[a](b c)',
    '[a]()',
    '[](x)',
    '(y)',
    '[z]',
    '"',
    "'",
  ];
  const linksOf = (text: string) => readMarkdown(text).links;
  for (const first of pieces)
    for (const second of pieces)
      for (const third of pieces) {
        const text = `t${first}${second} ${third}`;
        // A code span makes the parser read the same line.
        expect([text, linksOf(text)]).toEqual([text, linksOf(`${text} \`\``)]);
      }
});
