// Renders the screen of the picker from its state.

import { formatCount, makeVisible } from '../../base/diagnostics/index.ts';
import { cutToWidth, splitCharacters, widthOf } from '../commands/index.ts';
import { matchFuzzy, prepareName } from './fuzzy-match.ts';
import type { Frame, Piece, Style } from './picker-frame.ts';
import { type Area, layOutPicker, type PickerLayout } from './picker-layout.ts';
import { type Entry, type PickerState, scopeFilters, selectedSkill } from './picker-state.ts';
import { renderHelp } from './render-help.ts';
import { renderPreview } from './render-preview.ts';

const SCOPE_WIDTH = 'project'.length;

/** The frame for a state, exactly the size of its screen. */
export function renderPicker(state: PickerState): Frame {
  const { columns, rows } = state.size;
  if (state.helpTop !== undefined) {
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

/** The query with its cursor in view, and the cursor's column. */
function queryPieces({ query, cursor, isTyping, size }: PickerState): { pieces: Piece[]; cursor: number } {
  const room = Math.max(0, size.columns - 4);
  const characters = splitCharacters(query).map(makeVisible);
  const widthTo = (from: number, to: number) => widthOf(characters.slice(from, to).join(''));
  let first = 0;
  while (first < cursor && widthTo(first, cursor) > room) first++;
  let last = characters.length;
  while (last > cursor && widthTo(first, last) > room) last--;
  const text = characters.slice(first, last).join('');
  const hint: Piece[] =
    query === '' ? [{ at: 3, text: cutToWidth('type to search', room), style: 'faint' }] : [];
  return {
    pieces: [
      { at: 1, text: '/', style: isTyping || query === '' ? 'info' : 'faint' },
      ...(text === '' ? hint : [{ at: 3, text }]),
    ],
    cursor: 3 + widthTo(first, cursor),
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
  const label = state.labelOf(skill);
  const nameStyle = isSelected ? 'strong' : isDim ? 'faint' : undefined;
  return [
    { at: 1, text: isSelected ? '>' : '', style: 'info' },
    { at: 3, text: isOn ? (skill.available ? '[x]' : '[!]') : '[ ]', style: isDim ? 'warning' : 'faint' },
    ...renderName(skill.name, { at: 7, room: nameRoom, style: nameStyle, query: state.query, label }),
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

// Renders the name of a skill in the list: matching letters highlighted, then its label if the name is shared.

const MAX_LABEL = 14;

/** Pieces of a name in `room` columns, starting at `at`. */
function renderName(
  name: string,
  options: {
    readonly at: number;
    readonly room: number;
    readonly style: Style | undefined;
    readonly query: string;
    readonly label: string | undefined;
  },
): Piece[] {
  const { at, room, style, query, label } = options;
  const tag = label === undefined ? '' : cutToWidth(makeVisible(label), Math.min(MAX_LABEL, room - 8));
  const nameRoom = tag === '' ? room : room - widthOf(tag) - 1;
  const pieces = highlight(name, { at, room: nameRoom, style, query });
  const last = pieces.at(-1);
  const end = last === undefined ? at : last.at + widthOf(last.text);
  return tag === '' ? pieces : [...pieces, { at: end + 1, text: tag, style: 'faint' }];
}

function highlight(
  name: string,
  { at, room, style, query }: { at: number; room: number; style: Style | undefined; query: string },
): Piece[] {
  const shown = cutToWidth(makeVisible(name), room);
  const letters = query.trim() === '' ? undefined : matchFuzzy(prepareName(name), query)?.letters;
  if (letters === undefined || letters.size === 0) return shown === '' ? [] : [{ at, text: shown, style }];
  const runs: { text: string; isHit: boolean }[] = [];
  let left = shown;
  splitCharacters(name).forEach((character, index) => {
    const visible = makeVisible(character);
    // Where the name is cut, show only the ellipsis.
    const text = left.startsWith(visible) ? visible : left;
    left = left.slice(text.length);
    const isHit = letters.has(index) && text === visible;
    const run = runs.at(-1);
    if (run !== undefined && run.isHit === isHit) run.text += text;
    else if (text !== '') runs.push({ text, isHit });
  });
  let column = at;
  return runs.map(({ text, isHit }) => {
    const piece = { at: column, text, style: isHit ? 'info' : style } as const;
    column += widthOf(text);
    return piece;
  });
}
