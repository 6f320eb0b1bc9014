import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { plainPaint } from '../../base/diagnostics/render-text.ts';
import { askInTerminal, readChoice } from './ask-in-terminal.ts';

/** A terminal at which these lines are typed, one for each question. */
function terminal(...lines: string[]) {
  let shown = '';
  const asked = () => {
    const input = new PassThrough();
    const line = lines.shift();
    if (line === undefined) input.end();
    else input.write(`${line}\n`);
    return input;
  };
  const asker = askInTerminal({
    get input() {
      return asked();
    },
    write: (text) => {
      shown += text;
    },
    paint: plainPaint,
  });
  return { asker, shown: () => shown };
}

const fruits = [{ label: 'apple' }, { label: 'pear', note: 'ripe' }, { label: 'fig\u001b[2J' }];

describe('choosing', () => {
  test('shows the choices, and takes one number', async () => {
    const { asker, shown } = terminal('2');
    expect(await asker.choose('Fruit?', fruits)).toEqual([1]);
    expect(shown()).toBe('Fruit?\n  1  apple\n  2  pear  ripe\n  3  fig\\u001b[2J\nWhich? ');
  });

  test('asks again after nonsense', async () => {
    const { asker, shown } = terminal('7', 'x', '1,2', '3');
    expect(await asker.choose('Fruit?', fruits)).toEqual([2]);
    expect(shown().match(/Please answer with one number from 1 to 3\./g)).toHaveLength(3);
  });

  test('takes several numbers if allowed', async () => {
    expect(await terminal('3, 1').asker.choose('Fruit?', fruits, { many: true })).toEqual([0, 2]);
    expect(await terminal('ALL').asker.choose('Fruit?', fruits, { many: true })).toEqual([0, 1, 2]);
  });

  test.each([['nothing', ''] as const, ['end of input', undefined] as const])(
    '%s gives up',
    async (_, line) => {
      const { asker } = line === undefined ? terminal() : terminal(line);
      expect(await asker.choose('Fruit?', fruits)).toBe(undefined);
    },
  );
});

test('Ctrl-C gives up, and nothing is asked after it', async () => {
  const controller = new AbortController();
  let shown = '';
  const asker = askInTerminal({
    input: new PassThrough(),
    write: (text) => {
      shown += text;
      if (text.startsWith('Which')) queueMicrotask(() => controller.abort());
    },
    paint: plainPaint,
    signal: controller.signal,
  });
  expect(await asker.choose('Fruit?', fruits.slice(0, 1))).toBe(undefined);
  expect(await asker.confirm('Really?')).toBe(false);
  expect(shown).toBe('Fruit?\n  1  apple\nWhich? \nReally? [y/N] ');
});

test.each([
  ['y', true],
  ['YES', true],
  ['', false],
  ['n', false],
  ['yep', false],
])('%j confirms: %s', async (line, expected) => {
  const { asker, shown } = terminal(line);
  expect(await asker.confirm('Really?')).toBe(expected);
  expect(shown()).toBe('Really? [y/N] ');
});

test.each([
  ['2-4', [1, 2, 3]],
  ['1 1,1', [0]],
  ['0', undefined],
  ['4-2', undefined],
  ['5-9', undefined],
  [',', undefined],
  ['1e1', undefined],
])('%j of five', (text, expected) => {
  expect(readChoice(text, { count: 5, many: true })).toEqual(expected);
});
