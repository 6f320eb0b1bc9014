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
  ['arrows with modifiers', `${ESC}[1;5A${ESC}[1;2B`, [key('up'), key('down')]],
  ['pages', `${ESC}[5~${ESC}[6~`, [key('page-up'), key('page-down')]],
  [
    'home and end, of every terminal',
    `${ESC}[H${ESC}[F${ESC}[1~${ESC}[4~${ESC}[7~${ESC}[8~${ESC}OH${ESC}OF`,
    [key('home'), key('end'), key('home'), key('end'), key('home'), key('end'), key('home'), key('end')],
  ],
  ['tabs', `\t${ESC}[Z`, [key('tab'), key('back-tab')]],
  ['enter', '\r\n', [key('enter'), key('enter')]],
  ['alt-enter', `${ESC}\r`, [key('alt-enter')]],
  ['backspace', '\u007f\b', [key('backspace'), key('backspace')]],
  [
    'control keys',
    '\u0003\u000e\u000f\u0010\u0014\u0015\u0017',
    [key('ctrl-c'), key('down'), key('ctrl-o'), key('up'), key('ctrl-t'), key('ctrl-u'), key('ctrl-w')],
  ],
  [
    'keys that mean nothing',
    `\u0000\u0001\u001a${ESC}x${ESC}é${ESC}[15~${ESC}[3~${ESC}[C${ESC}OP${ESC}[[A${ESC}[?1;2c`,
    [],
  ],
  ['mouse reports', `${ESC}[<0;10;10M${ESC}[<0;10;10m`, []],
  ['escape twice', `${ESC}${ESC}[A`, [key('escape'), key('up')]],
  ['escape and Ctrl-C', `${ESC}\u0003`, [key('escape'), key('ctrl-c')]],
  ['what follows a sequence', `${ESC}[Aab`, [key('up'), text('ab')]],
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
      list.map((one) => (one.kind === 'key' ? `<${one.name}>` : one.text)).join('');
    expect(letters(joined)).toBe(letters(keys));
  });
});

test('escape alone is known when nothing follows', () => {
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

test('a paste is waited for, however long', () => {
  const reader = createKeyReader();
  expect(reader.read(Buffer.from(`${ESC}[200~${'x'.repeat(200_000)}`))).toEqual([]);
  expect(reader.isWaiting).toBe(false);
  const [pasted, ...more] = reader.read(Buffer.from(`y${ESC}[201~z`));
  expect(pasted).toMatchObject({ kind: 'paste', text: expect.stringMatching(/^x+y$/) });
  expect(more).toEqual([text('z')]);
});

test('bytes that are no text', () => {
  expect(createKeyReader().read(new Uint8Array([0xff, 0x61]))).toEqual([text('\ufffda')]);
});

test.each([
  ['types the rest of a mouse report', `${ESC}[<0;1M`, [undefined, '0', ';', '1', 'M']],
  ['types the rest of what a terminal says about itself', `${ESC}[?1;2c`, [undefined, '1', ';', '2', 'c']],
  ['loses Ctrl-C after Escape', `${ESC}\u0003`, [undefined]],
])('node:readline %s', (_, sent, typed) => {
  const stream = new EventEmitter();
  const seen: unknown[] = [];
  emitKeypressEvents(stream as NodeJS.ReadableStream);
  stream.on('keypress', (character, key) => seen.push(key.ctrl ? 'ctrl' : character));
  stream.emit('data', Buffer.from(sent));
  expect(seen).toEqual(typed);
});
