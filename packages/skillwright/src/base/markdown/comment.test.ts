import { expect, test } from 'vitest';
import { readMarkdown } from './read-markdown.ts';

test.each<[string, string, { text: string; line: number }[]]>([
  ['a block', '# A\n\n<!-- skc-disable SKL201 -->\n', [{ text: 'skc-disable SKL201', line: 3 }]],
  [
    'inline',
    'a\nb <!--x--> c <!-- y -->',
    [
      { text: 'x', line: 2 },
      { text: 'y', line: 2 },
    ],
  ],
  [
    'several in one block',
    '<!-- a --> <!-- b -->\n<!-- c -->',
    [
      { text: 'a', line: 1 },
      { text: 'b', line: 1 },
      { text: 'c', line: 2 },
    ],
  ],
  [
    'over several lines, blank ones too',
    '<!--\na\n\nb\n-->\nx <!-- c\nd --> y <!-- e -->',
    [
      { text: 'a\n\nb', line: 1 },
      { text: 'c\nd', line: 6 },
      { text: 'e', line: 7 },
    ],
  ],
  ['inside another HTML block', '<div>\n<!-- a -->\n</div>', [{ text: 'a', line: 2 }]],
  [
    'in a heading, a list, a quote and a table',
    '# A <!-- a -->\n- <!-- b -->\n\n> <!-- c\n> d -->\n\n|e|\n|-|\n|<!-- f -->|',
    [
      { text: 'a', line: 1 },
      { text: 'b', line: 2 },
      { text: 'c\nd', line: 4 },
      { text: 'f', line: 9 },
    ],
  ],
  [
    'empty forms',
    'a <!--> b <!---> c <!----> d',
    [
      { text: '', line: 1 },
      { text: '', line: 1 },
      { text: '', line: 1 },
    ],
  ],
  [
    'empty forms in a block',
    '<!--> <!-- a -->',
    [
      { text: '', line: 1 },
      { text: 'a', line: 1 },
    ],
  ],
  ['hyphens inside', '<!-- a -- b --- c -->', [{ text: 'a -- b --- c', line: 1 }]],
  ['never closed', 'a <!-- b\n\n<!-- c\n\nd', []],
  ['in code', '`<!-- a -->`\n\n    <!-- b -->\n\n```html\n<!-- c -->\n```', []],
  [
    'in raw text',
    '<script>\n<!-- a -->\n</script>\n<pre><!-- b --></pre>\n<?php <!-- c --> ?>\n<![CDATA[<!-- d -->]]>',
    [],
  ],
  ['escaped', '\\<!-- a -->', []],
])('comments: %s', (_name, text, expected) => {
  expect(readMarkdown(text).comments).toEqual(expected);
});
