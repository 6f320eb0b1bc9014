// Which skills are switched off. The same file holds other things of its scope, which are kept as they are.

import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.ts';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { compareBytes } from '../files/compare-paths.ts';
import { readRegularFile } from '../files/read-regular-file.ts';
import { systemErrorCode } from '../files/system-error.ts';
import { writeFileAtomic } from '../files/write-atomic.ts';
import { foldText } from '../markdown/fold-text.ts';
import { findProject } from '../places/find-project.ts';
import { type StoreScope, storePaths } from '../places/store-paths.ts';
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

const MAX_STATE_BYTES = 1024 * 1024;

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

/**
 * Changes the state file at `path`: `change` gets what it holds and gives what it shall hold, or undefined for no
 * change. One process at a time; a damaged file is kept beside the new one. E016 when it cannot be written.
 */
export function updateState(
  path: string,
  change: (state: Readonly<Record<string, unknown>>) => Record<string, unknown> | undefined,
): void {
  const unlock = lock(path);
  try {
    const { state, problem } = readState(path);
    const next = change(state);
    if (next === undefined) return;
    if (problem !== undefined) renameSync(path, `${path}.damaged-${Date.now()}`);
    writeFileAtomic(path, `${JSON.stringify({ version: 1, ...next }, null, 2)}\n`);
  } finally {
    unlock();
  }
}

function readState(path: string): {
  state: Record<string, unknown>;
  problem?: Diagnostic;
} {
  const unusable = (why: string) => ({
    state: {},
    problem: diagnose('E015', { path, why }),
  });
  try {
    const bytes = readRegularFile(path, { maxBytes: MAX_STATE_BYTES });
    if (bytes === undefined) return { state: {} };
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isTable ? { state: value as Record<string, unknown> } : unusable('not a JSON object');
  } catch (error) {
    if (error instanceof SkillwrightError) return unusable(error.message);
    if (error instanceof SyntaxError) return unusable('not JSON');
    throw error;
  }
}

function disabledIn(state: Readonly<Record<string, unknown>>): string[] {
  const { disabled } = state;
  return Array.isArray(disabled) ? disabled.filter((name) => typeof name === 'string') : [];
}

const LOCK_TRIES = 200;
const LOCK_WAIT_MS = 10;
/** Nobody needs a lock for so long: its owner is gone. */
const LOCK_STALE_MS = 10_000;

/** Waits for the lock of a file and takes it. Where none can be made the change goes on without. */
function lock(path: string): () => void {
  const file = `${path}.lock`;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let attempt = 0; attempt < LOCK_TRIES; attempt++) {
    try {
      mkdirSync(dirname(file), { recursive: true });
      closeSync(openSync(file, 'wx'));
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') break;
      const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
      if (made !== undefined && Date.now() - made > LOCK_STALE_MS) rmSync(file, { force: true });
      else Atomics.wait(pause, 0, 0, LOCK_WAIT_MS);
    }
  }
  return () => {};
}
