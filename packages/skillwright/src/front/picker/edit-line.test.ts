import { expect, test } from 'vitest';
import { type EditKey, editLine, insertText, lineOf } from './edit-line.ts';

/** The line with a bar for the cursor. */
const draw = ({ text, cursor }: { text: string; cursor: number }) => {
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  return `${characters.slice(0, cursor).join('')}|${characters.slice(cursor).join('')}`;
};
const parse = (drawn: string) => {
  const [before, after] = drawn.split('|') as [string, string];
  return { text: before + after, cursor: lineOf(before).cursor };
};

test.each<[string, EditKey, string]>([
  ['ab|c', 'left', 'a|bc'],
  ['|abc', 'left', '|abc'],
  ['ab|c', 'right', 'abc|'],
  ['abc|', 'right', 'abc|'],
  ['日本|語', 'left', '日|本語'],
  ['e\u0301👩‍👩‍👧|x', 'left', 'e\u0301|👩‍👩‍👧x'],
  ['one two|', 'word-left', 'one |two'],
  ['one |two', 'word-left', '|one two'],
  ['|one two', 'word-right', 'one| two'],
  ['one| two', 'word-right', 'one two|'],
  ['ab|c', 'line-start', '|abc'],
  ['ab|c', 'line-end', 'abc|'],
  ['ab|c', 'backspace', 'a|c'],
  ['|abc', 'backspace', '|abc'],
  ['日本|語', 'backspace', '日|語'],
  ['e\u0301|x', 'backspace', '|x'],
  ['ab|c', 'delete', 'ab|'],
  ['abc|', 'delete', 'abc|'],
  ['one two|x', 'delete-word-left', 'one |x'],
  ['one two |', 'delete-word-left', 'one |'],
  ['one| two x', 'delete-word-right', 'one| x'],
  ['one |two', 'delete-to-start', '|two'],
  ['one |two', 'delete-to-end', 'one |'],
])('%j %s', (before, key, after) => {
  expect(draw(editLine(parse(before), key))).toBe(after);
});

test.each([
  ['|', 'abc', 'abc|'],
  ['a|c', 'b', 'ab|c'],
  ['日|語', '本', '日本|語'],
  // A combining mark joins the letter before it.
  ['e|x', '\u0301', 'e\u0301|x'],
  ['a|b', '\u0000\n\t', 'a |b'],
  ['|b', '  ', '|b'],
])('%j with %j', (before, added, after) => {
  expect(draw(insertText(parse(before), added))).toBe(after);
});

test('a line has a maximum length', () => {
  expect(insertText(lineOf(''), '😀'.repeat(500)).text).toBe('😀'.repeat(100));
});
