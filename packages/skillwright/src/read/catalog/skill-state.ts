// Which skills are switched off. The same file holds other things of its scope, which are kept as they are.

import type { Diagnostic } from '../../base/diagnostics/index.ts';
import { compareBytes } from '../../base/files/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import {
  findProject,
  readState,
  type StoreScope,
  storePaths,
  updateState,
} from '../../skill/places/index.ts';
import { findProjectRoot } from './find-project-root.ts';

/** What a scope has switched off. */
export interface SkillState {
  /** The names as they were given, in order. */
  readonly disabled: readonly string[];
  /** E015 when the file cannot be used; nothing is switched off then. */
  readonly problem?: Diagnostic;
}

/** The surroundings a state belongs to. */
export interface StateContext {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What came of switching. */
export interface SwitchedSkills {
  /** The file that was changed. */
  readonly path: string;
  readonly scope: StoreScope;
  /** Names that were not so before. */
  readonly changed: readonly string[];
  /** Names that were switched on, and are still off because the other scope says so. */
  readonly stillDisabled: readonly string[];
}

/** The file of a scope; undefined for a project where there is none yet. */
export function statePath(scope: StoreScope, { cwd, home }: StateContext): string | undefined {
  const base = scope === 'user' ? home : findProject(cwd, home);
  return base === undefined ? undefined : storePaths(base).state;
}

/** What a scope has switched off. Never throws. */
export function readSkillState(scope: StoreScope, context: StateContext): SkillState {
  const path = statePath(scope, context);
  if (path === undefined) return { disabled: [] };
  const { state, problem } = readState(path);
  return {
    disabled: disabledIn(state),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** The folded names that are off in either scope: a project cannot switch on what the user has switched off. */
export function disabledNames(states: readonly SkillState[]): ReadonlySet<string> {
  return new Set(states.flatMap(({ disabled }) => disabled.map(foldText)));
}

/**
 * Switches skills on or off in the project or for the user: in the named scope, else where a project is in the
 * project's. E016 when it cannot be written.
 */
export function setSkillEnabled(
  names: readonly string[],
  enabled: boolean,
  options: StateContext & { readonly scope?: StoreScope },
): SwitchedSkills {
  const scope = options.scope ?? (findProject(options.cwd, options.home) === undefined ? 'user' : 'project');
  const path = statePath(scope, options) ?? storePaths(findProjectRoot(options).path).state;
  const wanted = new Map(names.map((name) => [foldText(name), name]));
  const changed: string[] = [];
  updateState(path, (state) => {
    const before = new Map(disabledIn(state).map((name) => [foldText(name), name]));
    for (const [key, name] of wanted) {
      if (before.has(key) !== enabled) continue;
      changed.push(name);
      if (enabled) before.delete(key);
      else before.set(key, name);
    }
    return changed.length === 0 ? undefined : { ...state, disabled: [...before.values()].sort(compareBytes) };
  });
  const other = disabledNames([readSkillState(scope === 'user' ? 'project' : 'user', options)]);
  const stillDisabled = enabled ? names.filter((name) => other.has(foldText(name))) : [];
  return { path, scope, changed, stillDisabled };
}

function disabledIn(state: Readonly<Record<string, unknown>>): string[] {
  const { disabled } = state;
  return Array.isArray(disabled) ? disabled.filter((name) => typeof name === 'string') : [];
}
