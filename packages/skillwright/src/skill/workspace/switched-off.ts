// Skills that are switched off for the project and for the user. Stored on disk, so that every front end obeys.

import { isAbsolute, join, relative } from 'node:path';
import { catchCoded, type Diagnostic } from '../../base/diagnostics/index.ts';
import { compareBytes, realPathAhead } from '../../base/files/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import type { Store, StoreScope } from './project.ts';
import { readState, updateState } from './state-file.ts';

/** Skills switched off in a workspace. A project cannot switch on a skill the user switched off. */
export interface SwitchedOff {
  /** True when a name of a skill, in any case, or its canonical directory is switched off. */
  has(names: readonly string[], dir?: string): boolean;
  /** Changes with every switch. */
  readonly key: string;
  /** Entries as written: names, and directories of skills that share their name. */
  readonly names: readonly string[];
  /** State files that cannot be used. */
  readonly problems: readonly Diagnostic[];
}

/** Nothing is switched off. */
export const noneOff: SwitchedOff = { has: () => false, key: '', names: [], problems: [] };

/** Result of switching. */
export interface SwitchedSkills {
  /** The changed file. */
  readonly path: string;
  readonly scope: StoreScope;
  /** Names whose state changed. */
  readonly changed: readonly string[];
  /** Names that were switched on but stay off because of another store. */
  readonly stillDisabled: readonly string[];
}

/** Reads the skills switched off in the stores. Never throws. */
export function readSwitchedOff(stores: readonly Store[]): SwitchedOff {
  const read = stores.map(({ state }) => state).map(readState);
  const states = stores.map(({ base }, place) => ({ base, ...read[place]! }));
  const names = states.flatMap(({ state }) => disabledIn(state));
  const folded = new Set(names.map(foldText));
  let places: Set<string> | undefined;
  const isPlaceOff = (dir: string) => {
    places ??= new Set(
      states.flatMap(({ base, state }) =>
        disabledIn(state).flatMap((entry) => placeMeant(entry, base) ?? []),
      ),
    );
    return places.has(dir);
  };
  return {
    has: (skill, dir) =>
      folded.size > 0 &&
      (skill.some((name) => folded.has(foldText(name))) || (dir !== undefined && isPlaceOff(dir))),
    key: names.join('\0'),
    names,
    problems: states.flatMap(({ problem }) => problem ?? []),
  };
}

/** Switches names on or off in one store. E016 when it cannot be written. */
export function switchSkills(
  names: readonly string[],
  enabled: boolean,
  options: { readonly store: Store; readonly others: readonly Store[]; readonly dryRun?: boolean },
): SwitchedSkills {
  const { store, others, dryRun = false } = options;
  const wanted = new Map(names.map((name) => [foldText(name), name]));
  let changed: string[] = [];
  const change = (entries: readonly string[]) => {
    const before = new Set(entries.map(foldText));
    changed = [...wanted].flatMap(([key, name]) => (before.has(key) === enabled ? [name] : []));
    return enabled ? entries.filter((entry) => !wanted.has(foldText(entry))) : [...entries, ...changed];
  };
  if (dryRun) change(disabledIn(readState(store.state).state));
  else changeSwitchedOff(store, change);
  const elsewhere = readSwitchedOff(others);
  const stillDisabled = enabled ? names.filter((name) => elsewhere.has([name])) : [];
  return { path: store.state, scope: store.scope, changed, stillDisabled };
}

/** How a store writes the directory of a skill: relative to the project or the home directory when inside it. */
export function entryOfPlace(dir: string, { base }: Pick<Store, 'base'>): string {
  const inside = relative(realPathAhead(base), dir);
  return inside.startsWith('..') || isAbsolute(inside) ? dir : `./${inside}`;
}

function placeMeant(entry: string, base: string): string | undefined {
  if (!entry.startsWith('./') && !isAbsolute(entry)) return undefined;
  const place = isAbsolute(entry) ? entry : join(base, entry);
  // A broken link is not a skill.
  return catchCoded(
    () => realPathAhead(place),
    () => undefined,
  );
}

/** Changes the entries of a store's list; true if that made a difference. E016 when it cannot be written. */
export function changeSwitchedOff(
  store: Store,
  change: (entries: readonly string[]) => readonly string[],
): boolean {
  let isChanged = false;
  updateState(store.state, (state) => {
    const before = disabledIn(state);
    const after = [...new Set(change(before))].sort(compareBytes);
    isChanged = after.length !== before.length || after.some((entry) => !before.includes(entry));
    return isChanged ? { ...state, disabled: after } : undefined;
  });
  return isChanged;
}

/** In the user's state: places of agents that were emptied, by the directory of the skill. */
const WITHDRAWN = 'withdrawn';

/** The places from which deployments of skills were taken away, by the directory of the skill. */
export function readWithdrawn({ state: path }: Pick<Store, 'state'>): Record<string, readonly string[]> {
  const value = readState(path).state[WITHDRAWN];
  return typeof value === 'object' && value !== null ? (value as Record<string, string[]>) : {};
}

/** Writes them down. E016 when they cannot be written. */
export function writeWithdrawn(
  { state }: Pick<Store, 'state'>,
  places: Readonly<Record<string, readonly string[]>>,
): void {
  updateState(state, (before) => ({ ...before, [WITHDRAWN]: places }));
}

function disabledIn(state: Readonly<Record<string, unknown>>): string[] {
  const { disabled } = state;
  return Array.isArray(disabled) ? disabled.filter((name) => typeof name === 'string') : [];
}
