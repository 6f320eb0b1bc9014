// State of the picker, independent of terminal and disk.

import type { SkillRecord, SkillScope } from '../../read/catalog/index.ts';
import type { OutlineHeading } from '../../read/gateway/index.ts';
import { cleanLine } from './edit-line.ts';
import { layOutPicker, type Size } from './picker-layout.ts';
import type { Key } from './read-keys.ts';

/** One row of the list: a skill, or something else to choose. */
export type Entry = Pick<
  SkillRecord,
  'name' | 'description' | 'path' | 'dir' | 'scope' | 'enabled' | 'available' | 'reason' | 'frontmatter'
>;

/** Filter of the list. */
type ScopeFilter = 'all' | SkillScope;

/** The filters, in Tab order. */
export const scopeFilters: readonly ScopeFilter[] = ['all', 'project', 'user', 'bundled'];

/** Outline of a skill, once loaded. */
export interface Outline {
  readonly path: string;
  readonly headings: readonly OutlineHeading[];
}

/** A message shown until the next key. */
export interface Notice {
  readonly text: string;
  readonly isError: boolean;
}

/** Which skills are on. */
export interface Standing {
  isOn(skill: Entry): boolean;
  /** Why it is off; shown in the preview. */
  reasonOf(skill: Entry): string | undefined;
}

/** Everything the screen depends on. */
export interface PickerState {
  /** Matching skills, best first. */
  readonly find: (query: string, scope: SkillScope | undefined) => readonly Entry[];
  /** A path in short form, as a person writes it. */
  readonly showPath: (path: string) => string;
  /** Label that distinguishes a skill from others of its name; undefined when the name is unique. */
  readonly labelOf: (skill: Entry) => string | undefined;
  readonly total: number;
  /** Paths of skills shadowed by another of the same name. */
  readonly shadowed: ReadonlySet<string>;
  readonly size: Size;
  /** The words to look for; the cursor is at their end. */
  readonly query: string;
  readonly scope: ScopeFilter;
  /** True while keys edit the query, so that Space types a space. */
  readonly isTyping: boolean;
  readonly matches: readonly Entry[];
  readonly selected: number;
  /** Index of the first match on the screen. */
  readonly top: number;
  /** True while the help is open. */
  readonly hasHelp: boolean;
  readonly standing: Standing;
  readonly outline: Outline | undefined;
  readonly notice: Notice | undefined;
  /** Set when the user chooses several entries instead of picking or switching one. */
  readonly choosing?: Choosing | undefined;
}

/** A question with several choices. */
interface Choosing {
  readonly question: string;
  /** Preview lines for one of them. */
  factsOf(skill: Entry): readonly string[];
}

/** Events of a picker. */
export type PickerEvent =
  | Key
  | { readonly kind: 'resized'; readonly size: Size }
  | { readonly kind: 'outlined'; readonly outline: Outline }
  | { readonly kind: 'switched'; readonly standing: Standing; readonly notice: Notice }
  | { readonly kind: 'failed'; readonly text: string };

/** How a picker ends. `unmatched`: Enter on an empty list. */
export type Picked =
  | { readonly kind: 'picked'; readonly skill: Entry; readonly as: 'mention' | 'path' }
  | { readonly kind: 'unmatched'; readonly query: string }
  | { readonly kind: 'left' };

/** A skill to switch, and the current scope. */
export interface SwitchWish {
  readonly skill: Entry;
  readonly enabled: boolean;
  readonly scope: ScopeFilter;
}

/** Effects outside the picker. */
export type PickerEffect =
  | ({ readonly kind: 'switch' } & SwitchWish)
  | { readonly kind: 'suspend' }
  | { readonly kind: 'leave'; readonly picked: Picked };

/** The state after an event, and its effects. */
export interface Step {
  readonly state: PickerState;
  readonly effect?: PickerEffect;
}

/** The initial state. */
export function startPicker(start: Omit<PickerState, keyof typeof fresh | 'isTyping'>): PickerState {
  const query = cleanLine(start.query.trim());
  return refresh({ ...fresh, ...start, query, isTyping: query !== '' });
}

/** Nothing found, nothing scrolled, nothing open. */
const fresh = {
  matches: [],
  selected: 0,
  top: 0,
  hasHelp: false,
  outline: undefined,
} as const;

/** The skill under the cursor. */
export function selectedSkill({ matches, selected }: PickerState): Entry | undefined {
  return matches[selected];
}

/** Searches again and moves to the best match. */
export function refresh(state: PickerState): PickerState {
  const matches = state.find(state.query, state.scope === 'all' ? undefined : state.scope);
  return { ...state, matches, selected: 0, top: 0 };
}

/** Keeps the selected skill on the screen, and no gap at the end of the list. */
export function scroll(state: PickerState): PickerState {
  const height = Math.max(1, layOutPicker(state.size).list.height);
  const { selected, matches } = state;
  const lowest = Math.max(0, matches.length - height);
  const top = Math.min(lowest, Math.max(selected - height + 1, Math.min(state.top, selected)));
  return { ...state, top: Math.max(0, top) };
}
