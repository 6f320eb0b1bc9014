import { expect, test } from 'vitest';
import { terminalText, terminalValue } from './terminal-text.ts';

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
  ['ünïcødé 漢字 🎉', 'ünïcødé 漢字 🎉'],
])('%j', (text, expected) => {
  expect(terminalText(text)).toBe(expected);
});

test('every text inside a value is made safe', () => {
  expect(terminalValue({ 'a\u001b': ['b\u009b', { c: 'd\re\r\n' }, 1, null, true] })).toEqual({
    'a\\u001b': ['b\\u009b', { c: 'd\\u000de\r\n' }, 1, null, true],
  });
});
