import { expect, test } from 'vitest';
import { readMarkdown } from './read-markdown.ts';

test.each<[string, string, { language: string; line: number; endLine: number }[]]>([
  [
    'backticks and tildes',
    '```ts\na\n```\n\n~~~\nb\n~~~~\n',
    [
      { language: 'ts', line: 1, endLine: 3 },
      { language: '', line: 5, endLine: 7 },
    ],
  ],
  [
    'only the first word, unescaped',
    '```  c\\+\\+&ouml;  title="x"\n```',
    [{ language: 'c++ö', line: 1, endLine: 2 }],
  ],
  [
    'a longer fence holds a shorter one',
    '````md\n```js\n```\n````',
    [{ language: 'md', line: 1, endLine: 4 }],
  ],
  ['never closed: to the end', 'a\n```sh\nb\n\n   ', [{ language: 'sh', line: 2, endLine: 5 }]],
  [
    'in a list and a quote',
    '- a\n  ```js\n  b\n  ```\n\n> ~~~py\n> c\n\nd',
    [
      { language: 'js', line: 2, endLine: 4 },
      { language: 'py', line: 6, endLine: 7 },
    ],
  ],
  ['indented code is not fenced', '    ```js\n    a', []],
  ['a code span is not a block', '```js```', []],
])('code blocks: %s', (_name, text, expected) => {
  expect(readMarkdown(text).codeBlocks).toEqual(expected);
});
