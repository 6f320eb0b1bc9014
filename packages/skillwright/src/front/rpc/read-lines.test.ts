import { expect, test } from 'vitest';
import { readLines, TOO_LONG } from './read-lines.ts';

async function linesServed(chunks: readonly string[], maxBytes = 8): Promise<(string | symbol)[]> {
  async function* stream() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const lines: (string | symbol)[] = [];
  for await (const line of readLines(stream(), maxBytes))
    lines.push(line === TOO_LONG ? TOO_LONG : Buffer.from(line).toString());
  return lines;
}

test.each<[string, readonly string[], (string | symbol)[]]>([
  ['nothing', [], []],
  ['one line', ['one\n'], ['one']],
  ['several in one piece', ['a\nb\n\nc\n'], ['a', 'b', '', 'c']],
  ['one in several pieces', ['a', 'b', '', 'c\nd', '\n'], ['abc', 'd']],
  ['a last line without an end', ['a\nb'], ['a', 'b']],
  ['exactly the maximum length', ['12345678\n'], ['12345678']],
  ['one byte more', ['123456789\nnext\n'], [TOO_LONG, 'next']],
  ['reported once, and skipped to its end', ['12345', '67890', '12345\nnext\n'], [TOO_LONG, 'next']],
  ['too long at the very end', ['ok\n', '1234567890'], ['ok', TOO_LONG]],
  ['counted per line', ['12345678\n12345678\n', '12345678\n'], Array(3).fill('12345678')],
])('%s', async (_what, chunks, expected) => {
  expect(await linesServed(chunks)).toEqual(expected);
});

test('bytes are preserved when a character is split between two chunks', async () => {
  async function* stream() {
    yield Buffer.from([0xc3]);
    yield Buffer.from([0xa9, 0x0a]);
  }
  for await (const line of readLines(stream(), 8)) expect([...(line as Uint8Array)]).toEqual([0xc3, 0xa9]);
});

test('a line that is too long is reported before it ends', async () => {
  async function* stream() {
    yield Buffer.from('123456789');
    throw new Error('read further than needed');
  }
  const lines = readLines(stream(), 8);
  expect(await lines.next()).toEqual({ value: TOO_LONG, done: false });
});
