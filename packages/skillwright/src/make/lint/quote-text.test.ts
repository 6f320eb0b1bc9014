import { expect, test } from 'vitest';
import { boundMessage, quoteText } from './quote-text.ts';

test.each([
  ['docs/a.md', "'docs/a.md'"],
  ['a\n\t b', "'a b'"],
  ['\u001b[31mred\u202e', "'\\u{1b}[31mred\\u{202e}'"],
  ['x'.repeat(80), `'${'x'.repeat(80)}'`],
  ['x'.repeat(81), `'${'x'.repeat(79)}…'`],
  ['😀'.repeat(81), `'${'😀'.repeat(39)}…'`],
])('%j', (text, quoted) => {
  expect(quoteText(text)).toBe(quoted);
});

test('a message is limited as well', () => {
  expect(boundMessage('x'.repeat(1000))).toBe(`${'x'.repeat(239)}…`);
});
