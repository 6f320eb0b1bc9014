// Bounded tables in the user's cache: answers that need not be asked for again. Losing one costs a question.

import { join } from 'node:path';
import { SkillwrightError } from '../../../base/diagnostics/index.ts';
import { readState, updateState, type Workspace } from '../../../skill/workspace/index.ts';

/** A table, and its field in its file. */
export interface RememberedTable {
  readonly file: string;
  readonly field: string;
  /** The oldest entries beyond it are dropped. */
  readonly max: number;
}

/** The entries of a table. An unusable file counts as empty. */
export function readTable(
  { file, field }: RememberedTable,
  { user }: Pick<Workspace, 'user'>,
): (key: string) => unknown {
  const known = tableOf(readState(join(user.cache, file)).state[field]);
  return (key) => (Object.hasOwn(known, key) ? known[key] : undefined);
}

/** Adds entries, as the newest. A failed write is ignored. */
export function addToTable(
  { file, field, max }: RememberedTable,
  { user }: Pick<Workspace, 'user'>,
  entries: readonly (readonly [key: string, value: unknown])[],
): void {
  if (entries.length === 0) return;
  try {
    updateState(join(user.cache, file), (state) => {
      const added = Object.fromEntries(entries);
      const others = Object.entries(tableOf(state[field])).filter(([key]) => !Object.hasOwn(added, key));
      const all = [...others, ...Object.entries(added)].slice(-max);
      return { ...state, [field]: Object.fromEntries(all) };
    });
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
  }
}

function tableOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
