import { expect, test } from 'vitest';
import { readFrontmatter } from './frontmatter.ts';
import { lineOfKey } from './line-of-key.ts';

const text = `---
name: x
metadata:
  author: me
  name: inner
quiz:
  - title: One
    questions:
      - question: A?
        options: [{ label: a }, { label: b }]
      - question: B?
hooks: { Stop: [] }
name: y
---
body
`;

test.each<[(string | number)[], number | undefined]>([
  [['name'], 13],
  [['metadata'], 3],
  [['metadata', 'name'], 5],
  [['metadata', 'absent', 'deeper'], 3],
  [['quiz', 0], 7],
  [['quiz', 0, 'questions'], 8],
  [['quiz', 0, 'questions', 0, 'options', 1, 'label'], 10],
  [['quiz', 0, 'questions', 1, 'question'], 11],
  [['quiz', 0, 'questions', 7], 8],
  [['hooks', 'Stop'], 12],
  [['absent'], undefined],
  [[], undefined],
])('%j', (path, line) => {
  expect(lineOfKey(readFrontmatter(text), path)).toBe(line);
  expect(lineOfKey(readFrontmatter(text.replaceAll('\n', '\r\n')), path)).toBe(line);
});

test('a repair keeps line numbers', () => {
  const repaired = readFrontmatter('---\ndescription: a: b\n  c\nname: x\nmetadata:\n  k: v\n---\n');
  expect(lineOfKey(repaired, ['name'])).toBe(4);
  expect(lineOfKey(repaired, ['metadata', 'k'])).toBe(6);
});

test('without readable frontmatter there are no lines', () => {
  expect(lineOfKey(readFrontmatter('# Title'), ['name'])).toBeUndefined();
  expect(lineOfKey(readFrontmatter('---\n@x\nname: y\n---\n'), ['name'])).toBeUndefined();
});
