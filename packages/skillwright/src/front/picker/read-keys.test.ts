import { EventEmitter } from 'node:events';
import { emitKeypressEvents } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { createKeyReader, type Key, type KeyName } from './read-keys.ts';

const ESC = '\u001b';
const key = (name: KeyName): Key => ({ kind: 'key', name });
const text = (typed: string): Key => ({ kind: 'text', text: typed });
const paste = (pasted: string): Key => ({ kind: 'paste', text: pasted });

const table: [string, string, Key[]][] = [
  ['letters', 'pdf', [text('pdf')]],
  ['words', 'a b', [text('a'), key('space'), text('b')]],
  ['letters of any script', 'é日😀', [text('é日😀')]],
  ['arrows', `${ESC}[A${ESC}[B${ESC}OA${ESC}OB`, [key('up'), key('down'), key('up'), key('down')]],
  ['arrows with Ctrl and Shift', `${ESC}[1;5A${ESC}[1;2B${ESC}[1;5C`, [key('up'), key('down')]],
  ['ends with Ctrl', `${ESC}[1;5H${ESC}[1;5F`, [key('first'), key('last')]],
  ['keys with Alt', `${ESC}\u007f${ESC}\b`, [key('delete-word'), key('delete-word')]],
  ['F1, of every terminal', `${ESC}OP${ESC}[11~${ESC}[[A`, [key('help'), key('help'), key('help')]],
  ['pages', `${ESC}[5~${ESC}[6~`, [key('page-up'), key('page-down')]],
  [
    'home and end, of every terminal',
    `${ESC}[H${ESC}[F${ESC}[1~${ESC}[4~${ESC}[7~${ESC}[8~${ESC}OH${ESC}OF`,
    Array.from({ length: 4 }, () => [key('first'), key('last')]).flat(),
  ],
  ['tabs', `\t${ESC}[Z`, [key('tab'), key('back-tab')]],
  ['enter', '\r\n', [key('enter'), key('enter')]],
  ['alt-enter', `${ESC}\r`, [key('alt-enter')]],
  ['backspace', '\u007f\b', [key('backspace'), key('backspace')]],
  [
    'control keys',
    '\u0003\u0004\u000e\u000f\u0010\u0014\u0015\u0017\u001a',
    (
      ['ctrl-c', 'ctrl-d', 'down', 'ctrl-o', 'up', 'ctrl-t', 'delete-line', 'delete-word', 'ctrl-z'] as const
    ).map(key),
  ],
  [
    'keys without a function',
    `\u0000\u0001\u0019\u001f${ESC}x${ESC}é${ESC}[C${ESC}[3~${ESC}[15~${ESC}[[B${ESC}[?1;2c`,
    [],
  ],
  ['reports of the mouse', `${ESC}[<0;10;5M${ESC}[<0;10;5m${ESC}[<64;1;1M${ESC}[<M${ESC}[<xx`, [text('x')]],
  ['escape twice', `${ESC}${ESC}[A`, [key('escape'), key('up')]],
  ['escape and Ctrl-C', `${ESC}\u0003`, [key('escape'), key('ctrl-c')]],
  ['text after a sequence', `${ESC}[Aab`, [key('up'), text('ab')]],
  ['a paste', `x${ESC}[200~a b\r\n${ESC}[A${ESC}[201~y`, [text('x'), paste(`a b\r\n${ESC}[A`), text('y')]],
  ['a paste without an end', `${ESC}[200~abc\u0003`, [key('ctrl-c')]],
  ['C1 controls', 'a\u009b31mb', [text('a'), text('31mb')]],
];

describe.each(table)('%s', (_, typed, keys) => {
  test('at once', () => {
    expect(createKeyReader().read(Buffer.from(typed))).toEqual(keys);
  });

  test('byte by byte', () => {
    const reader = createKeyReader();
    const joined: Key[] = [];
    for (const byte of Buffer.from(typed))
      for (const next of reader.read(new Uint8Array([byte]))) {
        const last = joined.at(-1);
        if (next.kind === 'text' && last?.kind === 'text' && !typed.includes('\u009b'))
          joined[joined.length - 1] = text(last.text + next.text);
        else joined.push(next);
      }
    const letters = (list: Key[]) =>
      list
        .map((one) => ('text' in one ? one.text : one.kind === 'key' ? `<${one.name}>` : JSON.stringify(one)))
        .join('');
    expect(letters(joined)).toBe(letters(keys));
  });
});

test('Escape alone is recognised when nothing follows', () => {
  const reader = createKeyReader();
  expect([reader.read(Buffer.from(`a${ESC}`)), reader.isWaiting]).toEqual([[text('a')], true]);
  expect([reader.flush(), reader.isWaiting]).toEqual([[key('escape')], false]);
  expect([reader.read(Buffer.from(`${ESC}[1;`)), reader.isWaiting, reader.flush(), reader.flush()]).toEqual([
    [],
    true,
    [],
    [],
  ]);
  expect(reader.read(Buffer.from('b'))).toEqual([text('b')]);
});

test('waits for the end of a paste of any length', () => {
  const reader = createKeyReader();
  expect(reader.read(Buffer.from(`${ESC}[200~${'x'.repeat(200_000)}`))).toEqual([]);
  expect(reader.isWaiting).toBe(false);
  const [pasted, ...more] = reader.read(Buffer.from(`y${ESC}[201~z`));
  expect(pasted).toMatchObject({ kind: 'paste', text: expect.stringMatching(/^x+y$/) });
  expect(more).toEqual([text('z')]);
});

test('bytes that are not text', () => {
  expect(createKeyReader().read(new Uint8Array([0xff, 0x61]))).toEqual([text('\ufffda')]);
});

test.each([
  ['types the rest of a mouse report', `${ESC}[<0;1M`, [undefined, '0', ';', '1', 'M']],
  ['types the rest of a device report', `${ESC}[?1;2c`, [undefined, '1', ';', '2', 'c']],
  ['loses Ctrl-C after Escape', `${ESC}\u0003`, [undefined]],
])('node:readline %s', (_, sent, typed) => {
  const stream = new EventEmitter();
  const seen: unknown[] = [];
  emitKeypressEvents(stream as NodeJS.ReadableStream);
  stream.on('keypress', (character, key) => seen.push(key.ctrl ? 'ctrl' : character));
  stream.emit('data', Buffer.from(sent));
  expect(seen).toEqual(typed);
});
