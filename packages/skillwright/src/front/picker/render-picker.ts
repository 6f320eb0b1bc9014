// Renders the screen of the picker from its state.

import { formatCount, makeVisible } from '../../base/diagnostics/index.ts';
import { cutToWidth, splitCharacters, widthOf } from '../commands/index.ts';
import type { Frame, Piece } from './picker-frame.ts';
import { type Area, layOutPicker, type PickerLayout } from './picker-layout.ts';
import { type Entry, type PickerState, scopeFilters, selectedSkill } from './picker-state.ts';
import { renderHelp } from './render-help.ts';
import { renderPreview } from './render-preview.ts';

const SCOPE_WIDTH = 'project'.length;
/** Widest label behind a name that several skills have. */
const MAX_LABEL = 14;

/** The frame for a state, exactly the size of its screen. */
export function renderPicker(state: PickerState): Frame {
  const { columns, rows } = state.size;
  if (state.hasHelp) {
    const help = renderHelp(state);
    return { rows: Array.from({ length: rows }, (_, row) => help[row] ?? []), cursor: undefined };
  }
  const layout = layOutPicker(state.size);
  const pieces = Array.from({ length: rows }, (): Piece[] => []);
  const put = (row: number, ...added: readonly Piece[]) => pieces[row]?.push(...added);
  if (layout.header !== undefined) put(layout.header, ...headerPieces(state));
  const query = queryPieces(state);
  put(layout.query, ...query.pieces);
  listRows(state, layout).forEach((row, index) => {
    put(layout.list.top + index, ...row);
  });
  if (layout.preview !== undefined) putPreview(state, layout, put);
  if (layout.footer !== undefined) put(layout.footer, ...footerPieces(state));
  return {
    rows: pieces.map((row) =>
      row.map((piece) => ({ ...piece, text: cutToWidth(piece.text, columns - piece.at) })),
    ),
    cursor: rows > 0 ? { row: layout.query, column: Math.min(query.cursor, columns - 1) } : undefined,
  };
}

function headerPieces({ matches, total, scope, size, choosing }: PickerState): Piece[] {
  if (choosing !== undefined)
    return [{ at: 1, text: cutToWidth(makeVisible(choosing.question), size.columns - 2), style: 'strong' }];
  const tabs = layOutTabs(size.columns, scope).map(({ at, text, filter }): Piece => {
    return { at, text, style: filter === scope ? 'strong' : 'faint' };
  });
  const many = formatCount(total, 'skill');
  const count = matches.length === total ? many : `${matches.length} of ${many}`;
  const short = `${matches.length}/${total}`;
  const room = tabs[0]!.at - 2;
  // If space is short, the filter matters more than the count.
  if (room < short.length) return room < -1 ? [{ at: 1, text: cutToWidth(short, size.columns - 2) }] : tabs;
  return [{ at: 1, text: count.length <= room ? count : short, style: 'strong' }, ...tabs];
}

/** The filters at the right end of a header; some are off-screen when it is too narrow. */
function layOutTabs(columns: number, chosen: PickerState['scope']) {
  const labels = scopeFilters.map((filter) => (filter === chosen ? `[${filter}]` : ` ${filter} `));
  let at = columns - labels.join('').length - 1;
  return labels.map((text, index) => {
    const tab = { filter: scopeFilters[index]!, at, text };
    at += text.length;
    return tab;
  });
}

/** The end of the query, and the column behind it. */
function queryPieces({ query, isTyping, size }: PickerState): { pieces: Piece[]; cursor: number } {
  const room = Math.max(0, size.columns - 4);
  const characters = splitCharacters(query).map(makeVisible);
  while (characters.length > 0 && widthOf(characters.join('')) > room) characters.shift();
  const text = characters.join('');
  const hint: Piece[] =
    query === '' ? [{ at: 3, text: cutToWidth('type to search', room), style: 'faint' }] : [];
  return {
    pieces: [
      { at: 1, text: '/', style: isTyping || query === '' ? 'info' : 'faint' },
      ...(text === '' ? hint : [{ at: 3, text }]),
    ],
    cursor: 3 + widthOf(text),
  };
}

function listRows(state: PickerState, { list }: PickerLayout): Piece[][] {
  if (state.matches.length === 0) {
    const why =
      state.total === 0
        ? "no skills here; run 'skc list --paths' to see the search paths"
        : 'no skill matches';
    return list.height === 0
      ? []
      : [[{ at: 3, text: cutToWidth(why, state.size.columns - 4), style: 'faint' }]];
  }
  return state.matches
    .slice(state.top, state.top + list.height)
    .map((skill, index) => listRow(state, skill, { list, isSelected: state.top + index === state.selected }));
}

function listRow(
  state: PickerState,
  skill: Entry,
  { list, isSelected }: { list: Area; isSelected: boolean },
): Piece[] {
  const isOn = state.standing.isOn(skill);
  const isDim = state.choosing === undefined && (!isOn || !skill.available);
  const scopeAt = list.width - SCOPE_WIDTH - 1;
  const showsScope = state.choosing === undefined && state.scope === 'all' && list.width >= 30;
  const nameRoom = (showsScope ? scopeAt - 1 : list.width - 1) - 7;
  const label = state.labelOf(skill) ?? '';
  const tag = label === '' ? '' : cutToWidth(makeVisible(label), Math.min(MAX_LABEL, nameRoom - 8));
  const name = cutToWidth(makeVisible(skill.name), tag === '' ? nameRoom : nameRoom - widthOf(tag) - 1);
  return [
    { at: 1, text: isSelected ? '>' : '', style: 'info' },
    { at: 3, text: isOn ? (skill.available ? '[x]' : '[!]') : '[ ]', style: isDim ? 'warning' : 'faint' },
    { at: 7, text: name, style: isSelected ? 'strong' : isDim ? 'faint' : undefined },
    { at: 8 + widthOf(name), text: tag, style: 'faint' },
    ...(showsScope ? [{ at: scopeAt, text: skill.scope, style: 'faint' } as const] : []),
  ];
}

function putPreview(
  state: PickerState,
  { list, preview, isBeside }: PickerLayout,
  put: (row: number, ...added: Piece[]) => void,
): void {
  const skill = selectedSkill(state);
  if (skill === undefined) return;
  const { top, left, width, height } = preview!;
  if (isBeside) {
    for (let row = 0; row < height; row++) put(top + row, { at: list.width, text: '│', style: 'faint' });
  } else put(top - 1, { at: 0, text: '─'.repeat(state.size.columns), style: 'faint' });
  renderPreview(state, skill, { width, height }).forEach(({ text, style }, index) => {
    put(top + index, { at: left, text: cutToWidth(text, width), style });
  });
}

/** Keys and what they do, most important first. */
function hintsOf({ isTyping, choosing }: PickerState): readonly (readonly [string, string])[] {
  if (choosing !== undefined)
    return [
      ['Enter', 'continue'],
      [isTyping ? '^T' : 'Space', 'choose'],
      ['Esc', 'leave'],
      [isTyping ? 'F1' : '?', 'help'],
      ['↑↓', 'move'],
    ];
  return [
    ['Enter', '$name'],
    [isTyping ? '^T' : 'Space', 'on/off'],
    ['Esc', 'leave'],
    [isTyping ? 'F1' : '?', 'help'],
    ['Tab', 'scope'],
    ['^O', 'path'],
    ['↑↓', 'move'],
  ];
}

function footerPieces(state: PickerState): Piece[] {
  const room = state.size.columns - 2;
  if (state.notice !== undefined) {
    const { text, isError } = state.notice;
    return [{ at: 1, text: cutToWidth(makeVisible(text), room), style: isError ? 'error' : 'info' }];
  }
  const pieces: Piece[] = [];
  let at = 1;
  for (const [key, label] of hintsOf(state)) {
    const end = at + key.length + 1 + label.length;
    if (end > room + 1) break;
    pieces.push({ at, text: key, style: 'strong' }, { at: at + key.length + 1, text: label, style: 'faint' });
    at = end + 3;
  }
  return pieces;
}
