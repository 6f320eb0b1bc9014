import { describe, expect, test } from 'vitest';
import { decodeText, splitLines } from './read-text.ts';

describe('decodeText', () => {
  test.each([
    ['plain', Buffer.from('häß'), { text: 'häß', valid: true, binary: false }],
    ['empty', Buffer.from(''), { text: '', valid: true, binary: false }],
    ['byte order mark', Buffer.from('\ufeffx'), { text: '\ufeffx', valid: true, binary: false }],
    ['Latin-1', Buffer.from([0x63, 0x61, 0x66, 0xe9]), { text: 'café', valid: false, binary: false }],
    ['Windows-1252', Buffer.from([0x93, 0x61, 0x94]), { text: '“a”', valid: false, binary: false }],
    [
      'damaged UTF-8',
      Buffer.from([...Buffer.from('éé'), 0xff]),
      { text: 'éé\ufffd', valid: false, binary: false },
    ],
    ['UTF-16', Buffer.from('\ufeff# häß', 'utf16le'), { text: '\ufeff# häß', valid: false, binary: false }],
    [
      'UTF-16 with the high byte first',
      Buffer.from('\ufeff中', 'utf16le').swap16(),
      { text: '\ufeff中', valid: false, binary: false },
    ],
    ['control characters', Buffer.from([0xff, 0x01]), { text: '\ufffd\u0001', valid: false, binary: true }],
    ['NUL', Buffer.from('a\0b'), { text: 'a\0b', valid: true, binary: true }],
  ])('%s', (_, bytes, decoded) => {
    expect(decodeText(bytes)).toEqual(decoded);
  });

  test.each([
    ['an odd number of bytes', [0xff, 0xfe, 0x41]],
    ['a control character', [0xff, 0xfe, 0x01, 0x00]],
    ['half a character', [0xff, 0xfe, 0x00, 0xd8]],
  ])('%s after the byte order mark of UTF-16 is not text', (_, bytes) => {
    expect(decodeText(Buffer.from([...bytes, 0, 0])).binary).toBe(true);
  });

  test('looks for NUL in the first 8 KiB alone', () => {
    expect(decodeText(Buffer.from(`${'x'.repeat(8191)}\0`)).binary).toBe(true);
    expect(decodeText(Buffer.from(`${'x'.repeat(8192)}\0`)).binary).toBe(false);
  });
});

test.each([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['\n', ['']],
  ['\n\n', ['', '']],
  ['a\nb', ['a', 'b']],
  ['a\r\nb\r\n', ['a', 'b']],
  ['a\rb\r', ['a', 'b']],
  ['a\n\rb', ['a', '', 'b']],
  ['a\u2028b', ['a\u2028b']],
])('splitLines(%j) is %j', (text, lines) => {
  expect(splitLines(text)).toEqual(lines);
});
