// Updates the picker for a key or another event. Work outside the picker is returned as an effect.

import { type EditKey, editLine, insertText } from './edit-line.ts';
import { layOutPicker } from './picker-layout.ts';
import {
  type Picked,
  type PickerEvent,
  type PickerState,
  refresh,
  type Step,
  scopeFilters,
  scroll,
  selectedSkill,
} from './picker-state.ts';
import type { KeyName } from './read-keys.ts';
import { helpLines } from './render-help.ts';
import { previewLength } from './render-preview.ts';

/** Applies an event. */
export function reducePicker(state: PickerState, event: PickerEvent): Step {
  switch (event.kind) {
    case 'key':
      return state.helpTop === undefined
        ? pressKey({ ...state, notice: undefined }, event.name)
        : pressInHelp(state, event.name);
    case 'text':
    case 'paste':
      return type(state, event.text);
    case 'resized':
      return { state: scroll({ ...state, size: event.size, previewTop: 0 }) };
    case 'outlined':
      return { state: { ...state, outline: event.outline } };
    case 'switched':
      return { state: { ...state, standing: event.standing, notice: event.notice } };
    case 'failed':
      return { state: { ...state, notice: { text: event.text, isError: true } } };
  }
}

function type(state: PickerState, text: string): Step {
  if (state.helpTop !== undefined) return { state: { ...state, helpTop: undefined } };
  // No name contains a question mark, so it opens the help, except while the user types a query.
  if (text === '?' && !state.isTyping) return { state: { ...state, notice: undefined, helpTop: 0 } };
  const line = insertText({ text: state.query, cursor: state.cursor }, text);
  return { state: setLine({ ...state, notice: undefined }, line) };
}

function pressInHelp(state: PickerState, name: KeyName): Step {
  const top = state.helpTop ?? 0;
  const step = { up: -1, down: 1, 'page-up': -state.size.rows, 'page-down': state.size.rows }[name as string];
  if (name === 'ctrl-c') return leave(state, { kind: 'left' });
  if (name === 'ctrl-z') return { state, effect: { kind: 'suspend' } };
  if (step === undefined) return { state: { ...state, helpTop: undefined } };
  const lowest = Math.max(0, helpLines(state).length - state.size.rows);
  return { state: { ...state, helpTop: Math.max(0, Math.min(lowest, top + step)) } };
}

function pressKey(state: PickerState, name: KeyName): Step {
  const { matches, selected, scope } = state;
  const page = Math.max(1, layOutPicker(state.size).list.height);
  switch (name) {
    case 'up':
      return move(state, selected - 1);
    case 'down':
      return move(state, selected + 1);
    case 'page-up':
      return move(state, selected - page);
    case 'page-down':
      return move(state, selected + page);
    case 'first':
      return move(state, 0);
    case 'last':
      return move(state, matches.length - 1);
    case 'preview-up':
      return scrollPreview(state, -1);
    case 'preview-down':
      return scrollPreview(state, 1);
    case 'tab':
    case 'back-tab': {
      if (state.choosing !== undefined) return { state };
      const step = name === 'tab' ? 1 : scopeFilters.length - 1;
      const next = scopeFilters[(scopeFilters.indexOf(scope) + step) % scopeFilters.length]!;
      return { state: refresh({ ...state, scope: next }) };
    }
    case 'space':
      return state.isTyping ? type(state, ' ') : toggle(state);
    case 'ctrl-t':
      return toggle(state);
    case 'undo':
      return { state, effect: { kind: 'undo' } };
    case 'enter':
      return pickSelected(state, 'mention');
    case 'ctrl-o':
    case 'alt-enter':
      return pickSelected(state, 'path');
    case 'help':
      return { state: { ...state, helpTop: 0 } };
    case 'ctrl-z':
      return { state, effect: { kind: 'suspend' } };
    case 'ctrl-d':
      return state.query === '' ? leave(state, { kind: 'left' }) : edit(state, 'delete');
    case 'escape':
    case 'ctrl-c':
      return leave(state, { kind: 'left' });
    default:
      return edit(state, name);
  }
}

function toggle(state: PickerState): Step {
  const skill = selectedSkill(state);
  if (skill === undefined) return { state };
  const enabled = !state.standing.isOn(skill);
  return { state, effect: { kind: 'switch', skill, enabled, scope: state.scope } };
}

function pickSelected(state: PickerState, as: 'mention' | 'path'): Step {
  const skill = selectedSkill(state);
  if (skill !== undefined) return leave(state, { kind: 'picked', skill, as });
  return state.choosing === undefined ? leave(state, { kind: 'unmatched', query: state.query }) : { state };
}

function leave(state: PickerState, picked: Picked): Step {
  return { state, effect: { kind: 'leave', picked } };
}

/** Moving ends typing, so that Space toggles. */
function move(state: PickerState, to: number): Step {
  const selected = Math.max(0, Math.min(state.matches.length - 1, to));
  const previewTop = selected === state.selected ? state.previewTop : 0;
  return { state: scroll({ ...state, selected, previewTop, isTyping: false }) };
}

function scrollPreview(state: PickerState, step: number): Step {
  const lowest = previewLength(state) - (layOutPicker(state.size).preview?.height ?? 0);
  const previewTop = Math.max(0, Math.min(lowest, state.previewTop + step));
  return { state: { ...state, previewTop } };
}

function edit(state: PickerState, key: EditKey): Step {
  return { state: setLine(state, editLine({ text: state.query, cursor: state.cursor }, key)) };
}

function setLine(state: PickerState, { text, cursor }: { text: string; cursor: number }): PickerState {
  const edited = { ...state, query: text, cursor, isTyping: text !== '' };
  return text === state.query ? edited : refresh(edited);
}
