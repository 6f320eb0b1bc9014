import { expect, test } from 'vitest';
import { plainPaint, terminalPaint } from '../../base/diagnostics/render-text.ts';
import { drawFrame, type Frame, frameText } from './picker-frame.ts';

const before: Frame = {
  rows: [
    [{ at: 0, text: 'title', style: 'strong' }],
    [
      { at: 2, text: '日本' },
      { at: 8, text: 'x' },
    ],
    [],
  ],
  cursor: { row: 0, column: 3 },
};
const after: Frame = { ...before, rows: [before.rows[0]!, [{ at: 2, text: 'new' }], []] };

test('the first frame is drawn on an empty screen', () => {
  expect(drawFrame(undefined, before, terminalPaint)).toBe(
    '\u001b[?2026h\u001b[?25l\u001b[2J' +
      '\u001b[1;1H\u001b[2K\u001b[1G\u001b[1mtitle\u001b[22m' +
      '\u001b[2;1H\u001b[2K\u001b[3G日本\u001b[9Gx' +
      '\u001b[3;1H\u001b[2K' +
      '\u001b[1;4H\u001b[?25h\u001b[?2026l',
  );
});

test('later frames draw only changed rows', () => {
  expect(drawFrame(before, after, plainPaint)).toBe(
    '\u001b[?2026h\u001b[?25l\u001b[2;1H\u001b[2K\u001b[3Gnew\u001b[1;4H\u001b[?25h\u001b[?2026l',
  );
  expect(drawFrame(before, { ...before, cursor: undefined }, plainPaint)).toBe(
    '\u001b[?2026h\u001b[?25l\u001b[?2026l',
  );
});

test('nothing is drawn if nothing changed', () => {
  expect(drawFrame(before, { ...before, rows: [...before.rows] }, plainPaint)).toBe('');
});

test('without colour only positions are written', () => {
  expect(drawFrame(undefined, before, plainPaint)).not.toMatch(/\u001b\[\d*m/);
});

test('as text', () => {
  expect(frameText(before)).toEqual(['title', '  日本  x', '']);
});
