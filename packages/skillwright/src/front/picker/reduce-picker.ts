// Updates the picker for a key or another event. Work outside the picker is returned as an effect.

import { cleanLine, editLine } from './edit-line.ts';
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

/** Applies an event. */
export function reducePicker(state: PickerState, event: PickerEvent): Step {
  switch (event.kind) {
    case 'key':
      return state.hasHelp
        ? pressInHelp(state, event.name)
        : pressKey({ ...state, notice: undefined }, event.name);
    case 'text':
    case 'paste':
      return type(state, event.text);
    case 'resized':
      return { state: scroll({ ...state, size: event.size }) };
    case 'outlined':
      return { state: { ...state, outline: event.outline } };
    case 'switched':
      return { state: { ...state, standing: event.standing, notice: event.notice } };
    case 'failed':
      return { state: { ...state, notice: { text: event.text, isError: true } } };
  }
}

function type(state: PickerState, text: string): Step {
  if (state.hasHelp) return { state: { ...state, hasHelp: false } };
  // No name contains a question mark, so it opens the help, except while the user types a query.
  if (text === '?' && !state.isTyping) return { state: { ...state, notice: undefined, hasHelp: true } };
  return { state: setLine({ ...state, notice: undefined }, cleanLine(state.query + text)) };
}

function pressInHelp(state: PickerState, name: KeyName): Step {
  if (name === 'ctrl-c') return leave(state, { kind: 'left' });
  if (name === 'ctrl-z') return { state, effect: { kind: 'suspend' } };
  return { state: { ...state, hasHelp: false } };
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
    case 'enter':
      return pickSelected(state, 'mention');
    case 'ctrl-o':
    case 'alt-enter':
      return pickSelected(state, 'path');
    case 'help':
      return { state: { ...state, hasHelp: true } };
    case 'ctrl-z':
      return { state, effect: { kind: 'suspend' } };
    case 'ctrl-d':
      return state.query === '' ? leave(state, { kind: 'left' }) : { state };
    case 'escape':
    case 'ctrl-c':
      return leave(state, { kind: 'left' });
    default:
      return { state: setLine(state, editLine(state.query, name)) };
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
  return { state: scroll({ ...state, selected, isTyping: false }) };
}

function setLine(state: PickerState, query: string): PickerState {
  const edited = { ...state, query, isTyping: query !== '' };
  return query === state.query ? edited : refresh(edited);
}
