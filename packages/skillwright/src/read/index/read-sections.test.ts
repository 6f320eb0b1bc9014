import { expect, test } from 'vitest';
import { readSections } from './read-sections.ts';
import { sectionContent } from './section.ts';

function outline(path: string, text: string) {
  return readSections(path, text).sections.map((section) => [
    section.heading,
    section.startLine,
    section.endLine,
    section.ancestors.join(' > '),
    sectionContent(text, section).trim(),
  ]);
}

test.each([
  [
    'frontmatter, text before the first heading, nested sections',
    '---\nname: demo\ndescription: "Does: things"\nhooks: { a: b }\n---\nIntro.\n\n# One\nown\n## Two\nchild\n# Three\n',
    [
      ['', 1, 7, '', 'demo\nDoes: things\n\nIntro.'],
      ['One', 8, 9, '', 'own'],
      ['Two', 10, 11, 'One', 'child'],
      ['Three', 12, 12, '', ''],
    ],
  ],
  ['no heading', 'just\ntext\n', [['', 1, 2, '', 'just\ntext']]],
  ['nothing', '\n\n', []],
  [
    'underlined headings and a fence',
    'Title\nof two lines\n===\nbody\n```\n# not a heading\n```\nSub\n---\nlast',
    [
      ['Title of two lines', 1, 7, '', 'body\n```\n# not a heading\n```'],
      ['Sub', 8, 10, 'Title of two lines', 'last'],
    ],
  ],
  [
    'CRLF and a byte order mark',
    '\ufeff# A\r\nx\r\n\r\n## B\r\ny\r\n',
    [
      ['A', 1, 3, '', 'x'],
      ['B', 4, 5, 'A', 'y'],
    ],
  ],
  [
    'frontmatter that cannot be read is text',
    '---\n- a list\n---\n# A\nx\n',
    [
      ['', 1, 3, '', '- a list'],
      ['A', 4, 5, '', 'x'],
    ],
  ],
])('Markdown: %s', (_, text, expected) => {
  expect(outline('a.md', text)).toEqual(expected);
});

test('any other text is one section', () => {
  expect(outline('a.txt', '# x\n\ny\n')).toEqual([['', 1, 3, '', '# x\n\ny']]);
  expect(outline('empty.json', '')).toEqual([]);
});
