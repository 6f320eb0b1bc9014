import { expect, test } from 'vitest';
import { renderDiff } from './render-diff.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}\n`);

test('equal texts have an empty diff', () => {
  expect(renderDiff('f', { before: 'a\n', after: 'a\n' })).toBe('');
});

test('a changed line with three lines of context', () => {
  const before = numbered(9);
  expect(renderDiff('d/f.md', { before: before.join(''), after: before.with(4, 'five\n').join('') })).toBe(
    '--- a/d/f.md\n+++ b/d/f.md\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n',
  );
});

test('changes far apart are two hunks, and lines are counted on both sides', () => {
  const before = numbered(20);
  const after = ['0\n', ...before.slice(0, 18), 'x\n', ...before.slice(19)];
  expect(renderDiff('f', { before: before.join(''), after: after.join('') })).toBe(
    '--- a/f\n+++ b/f\n@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -16,5 +17,5 @@\n 16\n 17\n 18\n-19\n+x\n 20\n',
  );
});

test('a last line without a line end', () => {
  expect(renderDiff('f', { before: 'a\nb', after: 'a\nc\n' })).toBe(
    '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n',
  );
});

test('files that differ throughout', () => {
  const many = (word: string) => `${word}\n`.repeat(5000);
  const diff = renderDiff('f', { before: many('a'), after: many('b') });
  expect(diff.split('\n').length).toBe(10_004);
});
