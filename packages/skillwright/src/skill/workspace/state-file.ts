// A file with small facts that commands remember per scope. Each command owns one key and keeps the others.

import { type Diagnostic, diagnose, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  readRegularFile,
  renamePath,
  statusAt,
  writeError,
  writeFileAtomic,
} from '../../base/files/index.ts';
import { lockFile } from '../../base/sqlite/index.ts';

const MAX_STATE_BYTES = 1024 * 1024;

/**
 * Changes the state file at `path`: `change` receives the state and returns the new one, or undefined for no change.
 * One process at a time; a damaged file is kept next to the new one. E016 when it cannot be written.
 */
export function updateState(
  path: string,
  change: (state: Readonly<Record<string, unknown>>) => Record<string, unknown> | undefined,
): void {
  const unlock = lockFile(path);
  try {
    const { state, problem } = readState(path);
    const next = change(state);
    if (next === undefined) return;
    if (problem !== undefined) setAside(path);
    writeFileAtomic(path, `${JSON.stringify({ version: 1, ...next }, null, 2)}\n`);
  } finally {
    unlock();
  }
}

function setAside(path: string): void {
  try {
    renamePath(path, `${path}.damaged-${Date.now()}`);
  } catch (error) {
    throw writeError(path, error);
  }
}

/** Contents of a state file; empty, with the problem, when it cannot be used. Never throws. */
export function readState(path: string): {
  state: Record<string, unknown>;
  problem?: Diagnostic;
} {
  const unusable = (why: string) => ({
    state: {},
    problem: diagnose('E015', { path, why }),
  });
  try {
    const status = statusAt(path);
    if (status?.isSymbolicLink()) return { state: {}, problem: diagnose('E017', { path }) };
    const bytes = status && readRegularFile(path, { maxBytes: MAX_STATE_BYTES });
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
