import { expect, test } from 'vitest';
import { plainPaint } from '../../base/diagnostics/render-text.ts';
import { pickChoices } from './pick-choices.ts';
import type { TerminalListener } from './run-picker.ts';

const looked: string[] = [];
const choice = (label: string, description = `About ${label}.`) => ({
  label,
  description,
  facts: () => {
    looked.push(label);
    return [`${label}: clean`];
  },
});

/** A list on a terminal that only records. */
function start(choices = ['alpha', 'beta', 'gamma'].map((label) => choice(label))) {
  const written: string[] = [];
  let listener: TerminalListener | undefined;
  const picked = pickChoices('Which?', choices, {
    paint: plainPaint,
    terminal: {
      size: () => ({ columns: 80, rows: 20 }),
      write: (text) => void written.push(text),
      listen: (wanted) => {
        listener = wanted;
      },
      suspend: () => false,
      close: () => {},
    },
  });
  return { picked, written, type: (text: string) => listener!.input(Buffer.from(text)) };
}

test.each([
  ['Enter alone takes the selected entry', '\r', [0]],
  ['some are chosen', '\u001b[B \u001b[B \r', [1, 2]],
  ['a choice is undone', ' \u001b[B \u001b[A \r', [1]],
  ['a search keeps the choices', 'gam\u0014\u0015alp\u0014\r', [0, 2]],
  ['words of the description are found', 'about beta\r', [1]],
  ['Tab does nothing', '\t\r', [0]],
  ['Ctrl-C leaves', ' \u0003', undefined],
])('%s', async (_, typed, expected) => {
  const list = start();
  list.type(typed);
  expect(await list.picked).toEqual(expected);
});

test('details are loaded only for viewed entries, once', async () => {
  looked.length = 0;
  const list = start();
  list.type('\u001b[B');
  list.type('\u001b[A');
  list.type('\r');
  await list.picked;
  expect(looked).toEqual(['alpha', 'beta']);
});

test('names and descriptions cannot control the terminal', async () => {
  const list = start([choice('a'), choice('b', 'x\u001b[2J\u202ey')]);
  list.type('\u001b[B');
  expect(list.written.join('')).toContain('x\\u001b[2J\\u202ey');
  list.type('\r');
  expect(await list.picked).toEqual([1]);
});

test('of two with the same name, the chosen one is returned', async () => {
  const list = start([choice('twin', 'One.'), choice('twin', 'Two.')]);
  list.type('\u001b[B \r');
  expect(await list.picked).toEqual([1]);
});
