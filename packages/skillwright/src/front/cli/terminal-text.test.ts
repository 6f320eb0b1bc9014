import { expect, test } from 'vitest';
import { terminalPaint } from '../../base/diagnostics/render-text.ts';
import { terminalText } from './terminal-text.ts';

test.each([
  ['plain\ttext\nof two lines', 'plain\ttext\nof two lines'],
  ['line\r\nends', 'line\r\nends'],
  [terminalPaint.strong('bold'), terminalPaint.strong('bold')],
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
