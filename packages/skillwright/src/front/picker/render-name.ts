// Renders the name of a skill in the list: matching letters highlighted, then its label if the name is shared.

import { makeVisible } from '../../base/diagnostics/index.ts';
import { cutToWidth, splitCharacters, widthOf } from '../commands/index.ts';
import { matchFuzzy, prepareName } from './fuzzy-match.ts';
import type { Piece, Style } from './picker-frame.ts';

const MAX_LABEL = 14;

/** Pieces of a name in `room` columns, starting at `at`. */
export function renderName(
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
