// Which skills are switched off, for the project and for the user. It is remembered on disk, so that every front end obeys it.

import type { Diagnostic } from '../../base/diagnostics/index.ts';
import { compareBytes } from '../../base/files/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import { readState, updateState } from './state-file.ts';
import type { Store, StoreScope } from './store.ts';

/** What is switched off in a workspace. A project cannot switch on what the user has switched off. */
export interface SwitchedOff {
  /** True when one of the names a skill goes by is switched off, in whatever case. */
  has(names: readonly string[]): boolean;
  /** Changes when anything is switched. */
  readonly key: string;
  /** As they were written. */
  readonly names: readonly string[];
  /** State files that cannot be used. */
  readonly problems: readonly Diagnostic[];
}

/** Nothing is switched off. */
export const noneOff: SwitchedOff = { has: () => false, key: '', names: [], problems: [] };

/** What came of switching. */
export interface SwitchedSkills {
  /** The file that was changed. */
  readonly path: string;
  readonly scope: StoreScope;
  /** Names that were not so before. */
  readonly changed: readonly string[];
  /** Names that were switched on, and are still off because another store says so. */
  readonly stillDisabled: readonly string[];
}

/** What the stores have switched off. Never throws. */
export function readSwitchedOff(stores: readonly Store[]): SwitchedOff {
  const states = stores.map(({ state }) => readState(state));
  const names = states.flatMap(({ state }) => disabledIn(state));
  const folded = new Set(names.map(foldText));
  return {
    has: (skill) => folded.size > 0 && skill.some((name) => folded.has(foldText(name))),
    key: [...folded].join('\0'),
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
  const changed: string[] = [];
  const change = (state: Readonly<Record<string, unknown>>) => {
    const before = new Map(disabledIn(state).map((name) => [foldText(name), name]));
    for (const [key, name] of wanted) {
      if (before.has(key) !== enabled) continue;
      changed.push(name);
      if (enabled) before.delete(key);
      else before.set(key, name);
    }
    return changed.length === 0 ? undefined : { ...state, disabled: [...before.values()].sort(compareBytes) };
  };
  if (dryRun) change(readState(store.state).state);
  else updateState(store.state, change);
  const elsewhere = readSwitchedOff(others);
  const stillDisabled = enabled ? names.filter((name) => elsewhere.has([name])) : [];
  return { path: store.state, scope: store.scope, changed, stillDisabled };
}

function disabledIn(state: Readonly<Record<string, unknown>>): string[] {
  const { disabled } = state;
  return Array.isArray(disabled) ? disabled.filter((name) => typeof name === 'string') : [];
}
