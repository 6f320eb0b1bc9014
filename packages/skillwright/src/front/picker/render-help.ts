// The help screen of the picker.

import { cutToWidth } from '../commands/index.ts';
import type { Piece } from './picker-frame.ts';
import type { PickerState } from './picker-state.ts';

type Line = readonly [keys: string, meaning: string];

const common: readonly Line[] = [
  ['↑ ↓  ^P ^N', 'move; PgUp and PgDn move by a page'],
  ['Home  End', 'go to the first or last entry'],
  ['^W  ^U', 'delete the last word, or all of the query'],
  ['^Z', 'suspend'],
  ['Esc  ^C', 'quit without choosing'],
];

const picking: readonly Line[] = [
  ['Enter', 'print $name, or the path if several skills share the name'],
  ['^O  Alt-Enter', 'print the path'],
  ['Space  ^T', 'turn on or off in the scope shown (^T while you type)'],
  ['Tab  Shift-Tab', 'next or previous scope'],
];

const choosing: readonly Line[] = [
  ['Enter', 'continue with your choices'],
  ['Space  ^T', 'choose (^T while you type)'],
];

const KEYS_WIDTH = 20;

/** The help as rows of the screen. */
export function renderHelp(state: PickerState): Piece[][] {
  const { columns, rows } = state.size;
  const keysWidth = Math.min(KEYS_WIDTH, Math.floor(columns / 2));
  const lines = [...(state.choosing === undefined ? picking : choosing), ...common];
  return lines.slice(0, rows).map(([keys, meaning]) => [
    { at: 1, text: cutToWidth(keys, keysWidth - 1), style: 'strong' },
    { at: keysWidth + 1, text: cutToWidth(meaning, columns - keysWidth - 2) },
  ]);
}
