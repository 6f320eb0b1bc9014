// What the picker shows and what a key does to it. Knows neither terminal nor disk: what has to be done is an effect.

import { foldText } from '../../base/markdown/index.ts';
import type { SkillRecord, SkillScope } from '../../read/catalog/index.ts';
import type { OutlineHeading } from '../../read/gateway/index.ts';
import { splitCharacters } from '../commands/index.ts';
import { layOutPicker, type Size } from './picker-layout.ts';
import type { Key, KeyName } from './read-keys.ts';

/** Which skills are listed. */
export type ScopeFilter = 'all' | SkillScope;

/** The filters, in the order that Tab goes through them. */
export const scopeFilters: readonly ScopeFilter[] = ['all', 'project', 'user', 'bundled'];

/** What is known of the files of a skill. */
export interface Outline {
  readonly path: string;
  readonly headings: readonly OutlineHeading[];
}

/** Something to tell until the next key. */
export interface Notice {
  readonly text: string;
  readonly isError: boolean;
}

/** All that the screen depends on. */
export interface PickerState {
  /** The skills that match, best first. */
  readonly find: (query: string, scope: SkillScope | undefined) => readonly SkillRecord[];
  /** A path as a person would write it. */
  readonly showPath: (path: string) => string;
  readonly total: number;
  /** Paths of skills that another of the same name comes before. */
  readonly shadowed: ReadonlySet<string>;
  readonly size: Size;
  readonly query: string;
  readonly scope: ScopeFilter;
  /** True while keys belong to the query, where a space is a space. */
  readonly isTyping: boolean;
  readonly matches: readonly SkillRecord[];
  readonly selected: number;
  /** The first match on the screen. */
  readonly top: number;
  /** Skills that were switched since the catalog was read, by folded name. */
  readonly switched: ReadonlyMap<string, boolean>;
  readonly outline: Outline | undefined;
  readonly notice: Notice | undefined;
  /** Present where some of many are chosen, instead of one being picked or switched. */
  readonly choosing?: Choosing | undefined;
}

/** A question whose answer is some of the list. */
export interface Choosing {
  readonly question: string;
  /** Lines about one of them. */
  factsOf(skill: SkillRecord): readonly string[];
}

/** What happens to a picker. */
export type PickerEvent =
  | Key
  | { readonly kind: 'resized'; readonly size: Size }
  | { readonly kind: 'outlined'; readonly outline: Outline }
  | {
      readonly kind: 'switched';
      readonly name: string;
      readonly enabled: boolean;
      readonly notice: Notice;
    }
  | { readonly kind: 'failed'; readonly text: string };

/** What has to be done outside. */
export type PickerEffect =
  | { readonly kind: 'switch'; readonly name: string; readonly enabled: boolean }
  /** The end; `print` goes to standard output. */
  | { readonly kind: 'leave'; readonly print: string };

/** The state after an event, and what is to be done. */
export interface Step {
  readonly state: PickerState;
  readonly effect?: PickerEffect;
}

/** The state at the beginning. */
export function startPicker(
  start: Pick<
    PickerState,
    'find' | 'showPath' | 'total' | 'shadowed' | 'size' | 'query' | 'scope' | 'notice' | 'choosing'
  >,
): PickerState {
  const query = cleanQuery(start.query).trim();
  return refresh({
    ...start,
    query,
    isTyping: query !== '',
    matches: [],
    selected: 0,
    top: 0,
    switched: new Map(),
    outline: undefined,
  });
}

/** The skill under the cursor. */
export function selectedSkill({ matches, selected }: PickerState): SkillRecord | undefined {
  return matches[selected];
}

/** Whether a skill is on, as far as is known now. */
export function isEnabled({ switched }: PickerState, skill: SkillRecord): boolean {
  return switched.get(foldText(skill.name)) ?? skill.enabled;
}

/** What an event does. */
export function reducePicker(state: PickerState, event: PickerEvent): Step {
  switch (event.kind) {
    case 'key':
      return pressKey({ ...state, notice: undefined }, event.name);
    case 'text':
      return type(state, event.text);
    case 'paste':
      return type(state, event.text);
    case 'resized':
      return { state: scroll({ ...state, size: event.size }) };
    case 'outlined':
      return { state: { ...state, outline: event.outline } };
    case 'switched': {
      const switched = new Map(state.switched).set(foldText(event.name), event.enabled);
      return { state: { ...state, switched, notice: event.notice } };
    }
    case 'failed':
      return { state: { ...state, notice: { text: event.text, isError: true } } };
  }
}

const MAX_QUERY = 200;

function type(state: PickerState, text: string): Step {
  const query = cleanQuery(state.query + text);
  return { state: setQuery({ ...state, notice: undefined }, query) };
}

/** One line without controls. */
function cleanQuery(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trimStart();
  return line.length > MAX_QUERY ? line.slice(0, MAX_QUERY).toWellFormed() : line;
}

function pressKey(state: PickerState, name: KeyName): Step {
  const { query, matches, selected, scope } = state;
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
    case 'home':
      return move(state, 0);
    case 'end':
      return move(state, matches.length - 1);
    case 'backspace':
      return query === ''
        ? { state }
        : { state: setQuery(state, splitCharacters(query).slice(0, -1).join('')) };
    case 'ctrl-w':
      return { state: setQuery(state, query.replace(/\S*\s*$/, '')) };
    case 'ctrl-u':
      return { state: setQuery(state, '') };
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
      return leaveWith(state, (skill) => `$${skill.name}`);
    case 'ctrl-o':
    case 'alt-enter':
      return leaveWith(state, (skill) => skill.path);
    case 'escape':
    case 'ctrl-c':
      return { state, effect: { kind: 'leave', print: '' } };
  }
}

function toggle(state: PickerState): Step {
  const skill = selectedSkill(state);
  if (skill === undefined) return { state };
  return { state, effect: { kind: 'switch', name: skill.name, enabled: !isEnabled(state, skill) } };
}

function leaveWith(state: PickerState, print: (skill: SkillRecord) => string): Step {
  const skill = selectedSkill(state);
  if (skill === undefined) return { state };
  return { state, effect: { kind: 'leave', print: print(skill) } };
}

/** Moving takes the keys away from the query, so that Space is a switch. */
function move(state: PickerState, to: number): Step {
  const selected = Math.max(0, Math.min(state.matches.length - 1, to));
  return { state: scroll({ ...state, selected, isTyping: false }) };
}

function setQuery(state: PickerState, query: string): PickerState {
  if (query === state.query) return { ...state, isTyping: query !== '' };
  return refresh({ ...state, query, isTyping: query !== '' });
}

/** Looks again, and goes to the best match. */
function refresh(state: PickerState): PickerState {
  const matches = state.find(state.query, state.scope === 'all' ? undefined : state.scope);
  return { ...state, matches, selected: 0, top: 0 };
}

/** Keeps the selected skill on the screen, and the list at its end without a gap. */
function scroll(state: PickerState): PickerState {
  const height = Math.max(1, layOutPicker(state.size).list.height);
  const { selected, matches } = state;
  const lowest = Math.max(0, matches.length - height);
  const top = Math.min(lowest, Math.max(selected - height + 1, Math.min(state.top, selected)));
  return { ...state, top: Math.max(0, top) };
}
