// What the picker shows. Knows neither terminal nor disk.

import type { SkillRecord, SkillScope } from '../../read/catalog/index.ts';
import type { OutlineHeading } from '../../read/gateway/index.ts';
import { lineOf } from './edit-line.ts';
import { layOutPicker, type Size } from './picker-layout.ts';
import type { Key } from './read-keys.ts';
import type { ScopeFilter } from './scope-tabs.ts';

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

/** Which skills are on. */
export interface Standing {
  isOn(skill: SkillRecord): boolean;
  /** Why it is off, for the preview. */
  reasonOf(skill: SkillRecord): string | undefined;
}

/** All that the screen depends on. */
export interface PickerState {
  /** The skills that match, best first. */
  readonly find: (query: string, scope: SkillScope | undefined) => readonly SkillRecord[];
  /** A path as a person would write it. */
  readonly showPath: (path: string) => string;
  /** What tells a skill from others of its name; undefined when it is the only one. */
  readonly labelOf: (skill: SkillRecord) => string | undefined;
  readonly total: number;
  /** Paths of skills that another of the same name comes before. */
  readonly shadowed: ReadonlySet<string>;
  readonly size: Size;
  readonly query: string;
  /** The number of characters before the cursor. */
  readonly cursor: number;
  readonly scope: ScopeFilter;
  /** True while keys belong to the query, where a space is a space. */
  readonly isTyping: boolean;
  readonly matches: readonly SkillRecord[];
  readonly selected: number;
  /** The first match on the screen. */
  readonly top: number;
  /** The first line of the preview on the screen. */
  readonly previewTop: number;
  /** The first line of the help on the screen; undefined while it is closed. */
  readonly helpTop: number | undefined;
  readonly standing: Standing;
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
  | { readonly kind: 'switched'; readonly standing: Standing; readonly notice: Notice }
  | { readonly kind: 'failed'; readonly text: string };

/** How a picker ends. `unmatched`: Enter on an empty list. */
export type Picked =
  | { readonly kind: 'picked'; readonly skill: SkillRecord; readonly as: 'mention' | 'path' }
  | { readonly kind: 'unmatched'; readonly query: string }
  | { readonly kind: 'left' };

/** A skill to switch, and the scope that is shown. */
export interface SwitchWish {
  readonly skill: SkillRecord;
  readonly enabled: boolean;
  readonly scope: ScopeFilter;
}

/** What has to be done outside. */
export type PickerEffect =
  | ({ readonly kind: 'switch' } & SwitchWish)
  | { readonly kind: 'undo' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'leave'; readonly picked: Picked };

/** The state after an event, and what is to be done. */
export interface Step {
  readonly state: PickerState;
  readonly effect?: PickerEffect;
}

/** The state at the beginning. */
export function startPicker(
  start: Pick<
    PickerState,
    | 'find'
    | 'showPath'
    | 'labelOf'
    | 'total'
    | 'shadowed'
    | 'size'
    | 'query'
    | 'scope'
    | 'standing'
    | 'notice'
    | 'choosing'
  >,
): PickerState {
  const line = lineOf(start.query.trim());
  return refresh({
    ...start,
    query: line.text,
    cursor: line.cursor,
    isTyping: line.text !== '',
    matches: [],
    selected: 0,
    top: 0,
    previewTop: 0,
    helpTop: undefined,
    outline: undefined,
  });
}

/** The skill under the cursor. */
export function selectedSkill({ matches, selected }: PickerState): SkillRecord | undefined {
  return matches[selected];
}

/** Looks again, and goes to the best match. */
export function refresh(state: PickerState): PickerState {
  const matches = state.find(state.query, state.scope === 'all' ? undefined : state.scope);
  return { ...state, matches, selected: 0, top: 0, previewTop: 0 };
}

/** Keeps the selected skill on the screen, and the list at its end without a gap. */
export function scroll(state: PickerState): PickerState {
  const height = Math.max(1, layOutPicker(state.size).list.height);
  const { selected, matches } = state;
  const lowest = Math.max(0, matches.length - height);
  const top = Math.min(lowest, Math.max(selected - height + 1, Math.min(state.top, selected)));
  return { ...state, top: Math.max(0, top) };
}
