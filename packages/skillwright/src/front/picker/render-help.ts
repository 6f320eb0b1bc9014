// The help screen of the picker.

import { cutToWidth } from '../commands/index.ts';
import type { Piece } from './picker-frame.ts';
import type { PickerState } from './picker-state.ts';

type Line = readonly [keys: string, meaning: string];

const moving: readonly Line[] = [
  ['↑ ↓  ^P ^N', 'move; PgUp and PgDn move by a page'],
  ['^Home ^End', 'go to the first or last entry'],
  ['Shift-↑ ↓', 'scroll the preview'],
];

const editing: readonly Line[] = [
  ['← →  ^B ^F', 'move in the query'],
  ['Home End  ^A ^E', 'go to its start or end'],
  ['^← ^→  Alt-B Alt-F', 'move by a word'],
  ['^W  Alt-D', 'delete a word'],
  ['^U  ^K', 'delete to the start or to the end'],
];

const picking: readonly Line[] = [
  ['Enter', 'print $name, or the path if several skills share the name'],
  ['^O  Alt-Enter', 'print the path'],
  ['Space  ^T', 'turn on or off in the scope shown (^T while you type)'],
  ['^_', 'undo the last change'],
  ['Tab  Shift-Tab', 'next or previous scope'],
];

const choosing: readonly Line[] = [
  ['Enter', 'continue with your choices'],
  ['Space  ^T', 'choose (^T while you type)'],
];

const leaving: readonly Line[] = [
  ['^Z', 'suspend'],
  ['Esc  ^C', 'quit without choosing'],
];

/** Lines of the help. */
export function helpLines(state: Pick<PickerState, 'choosing'>): readonly Line[] {
  return [...(state.choosing === undefined ? picking : choosing), ...moving, ...editing, ...leaving];
}

const KEYS_WIDTH = 20;

/** The help as rows of the screen. */
export function renderHelp(state: PickerState): Piece[][] {
  const { columns, rows } = state.size;
  const keysWidth = Math.min(KEYS_WIDTH, Math.floor(columns / 2));
  const lines = helpLines(state);
  const top = state.helpTop ?? 0;
  return lines.slice(top, top + rows).map(([keys, meaning]) => [
    { at: 1, text: cutToWidth(keys, keysWidth - 1), style: 'strong' },
    { at: keysWidth + 1, text: cutToWidth(meaning, columns - keysWidth - 2) },
  ]);
}
