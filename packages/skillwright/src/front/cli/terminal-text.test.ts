import { expect, test } from 'vitest';
import { terminalText, terminalValue, wrapLines } from './terminal-text.ts';

test.each([
  ['plain\ttext\nof two lines', 'plain\ttext\nof two lines'],
  ['line\r\nends', 'line\r\nends'],
  ['hidden \u001b[8m', 'hidden \\u001b[8m'],
  ['link \u001b]8;;x\u001b\\', 'link \\u001b]8;;x\\u001b\\'],
  ['clear \u001b[2J', 'clear \\u001b[2J'],
  ['title \u001b]0;x\u0007', 'title \\u001b]0;x\\u0007'],
  ['over\rwritten', 'over\\u000dwritten'],
  ['back\b', 'back\\u0008'],
  ['8-bit \u009b2J', '8-bit \\u009b2J'],
  ['\u202egnp.exe', '\\u202egnp.exe'],
  ['no\u200bshape\u{e0041} \ufeff', 'no\\u200bshape\\udb40\\udc41 \\ufeff'],
  ['ünïcødé 漢字 🎉', 'ünïcødé 漢字 🎉'],
])('%j', (text, expected) => {
  expect(terminalText(text)).toBe(expected);
});

test('every text inside a value is made safe', () => {
  expect(terminalValue({ 'a\u001b': ['b\u009b', { c: 'd\re\r\n' }, 1, null, true] })).toEqual({
    'a\\u001b': ['b\\u009b', { c: 'd\\u000de\r\n' }, 1, null, true],
  });
});

test.each([
  ['short', 'short'],
  ['a note of more words than fit', 'a note of more words\nthan fit'],
  [
    '  label   text below text, not below its label',
    '  label   text below\n          text, not\n          below its\n          label',
  ],
  ['see /a/path/longer/than/the/line there', 'see\n/a/path/longer/than/the/line\nthere'],
  ["run 'skc list --all' to list everything", "run 'skc list --all'\nto list everything"],
  ['  skc show a --section "much longer"', '  skc show a --section "much longer"'],
  ['\u001b[33mwarning\u001b[39m: 12345 678901', '\u001b[33mwarning\u001b[39m: 12345\n678901'],
  ['漢字 漢字 漢字 漢字 漢字', '漢字 漢字 漢字 漢字\n漢字'],
])('wrapped at 20 columns: %j', (text, expected) => {
  expect(wrapLines(text, 20)).toBe(expected);
});
