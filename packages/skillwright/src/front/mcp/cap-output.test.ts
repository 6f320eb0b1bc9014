import { expect, test } from 'vitest';
import { capOutput, cutText, describeCuts } from './cap-output.ts';

test('a result that fits is unchanged', () => {
  const output = { skill: 'a', lines: ['x', 'y'], total: 2 };
  expect(capOutput(output)).toEqual({ output, cuts: [] });
  expect(capOutput(output).output).toBe(output);
});

test('a long text is cut at a line end', () => {
  const content = 'abcdefghi\n'.repeat(100);
  expect(capOutput({ path: 'a.md', content, more_lines: 0 }, 300)).toEqual({
    output: { path: 'a.md', content: 'abcdefghi\n'.repeat(27), more_lines: 0 },
    cuts: [{ field: 'content', kept: 27, total: 100, unit: 'lines' }],
  });
});

test('a long list keeps its first entries, and other fields are kept', () => {
  const entries = Array.from({ length: 100 }, (_, index) => ({ path: `file-${index}` }));
  const { output, cuts } = capOutput({ root: 'r', entries, total: 100 }, 200);
  expect(output).toEqual({ root: 'r', entries: entries.slice(0, 11), total: 100 });
  expect(cuts).toEqual([{ field: 'entries', kept: 11, total: 100, unit: 'entries' }]);
});

test('names are kept whole beyond the limit', () => {
  const content = 'x'.repeat(1000);
  expect(capOutput({ content, path: 'references/a.md', none: null }, 500)).toEqual({
    output: { content: 'x'.repeat(487), path: 'references/a.md', none: null },
    cuts: [{ field: 'content', kept: 1, total: 1, unit: 'lines' }],
  });
});

test.each([
  ['short', 10, 'short'],
  ['one\ntwo\nthree', 9, 'one\ntwo\n'],
  ['one\r\ntwo', 6, 'one\r\n'],
  ['abcdef', 3, 'abc'],
  ['ab\u{1F600}', 3, 'ab'],
  ['abc', 0, ''],
  ['abc', -5, ''],
])('%j within %i', (text, limit, kept) => {
  expect(cutText(text, limit)).toBe(kept);
});

test('one line describes the cuts', () => {
  expect(describeCuts([{ field: 'content', kept: 3, total: 9, unit: 'lines' }], 'pass lines')).toBe(
    '... cut at 100000 characters: 3 of 9 lines of content. For the rest, pass lines.',
  );
});
