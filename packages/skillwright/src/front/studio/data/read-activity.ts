// The latest accesses.

import { sha256 } from '../../../base/files/index.ts';
import { showPlace } from './show-place.ts';
import type { Look, StudioState } from './studio-state.ts';
import type { LoggedAccess } from './usage-counts.ts';

/** One access. Times are RFC 3339 in UTC. */
export interface ShownAccess {
  /** Rises with every access of one log. */
  readonly key: string;
  readonly at: string;
  readonly command: string;
  readonly skill: string;
  /** Id of the skill; null when it is gone. */
  readonly skillId: string | null;
  /** Section, file or query. */
  readonly subject: string | null;
  readonly tokens: number;
  readonly durationMs: number;
  readonly error: string | null;
  readonly project: string;
  readonly run: string;
}

/** The page. */
export interface ActivityView {
  /** Newest first. */
  readonly accesses: readonly ShownAccess[];
  readonly total: number;
}

/** Reads it. */
export async function readActivity(look: Look, state: StudioState): Promise<ActivityView> {
  const accesses = await showAccesses(state.usage.recent, look);
  return { accesses, total: state.usage.totals.accesses };
}

/** Accesses as the studio shows them. It does not say what was read of a skill that is locked now. */
export async function showAccesses(accesses: readonly LoggedAccess[], look: Look): Promise<ShownAccess[]> {
  const { access, workspace } = look.context;
  const shown: ShownAccess[] = [];
  for (const one of accesses) {
    const record = look.byDir.get(one.owner);
    const isLocked = one.subject !== null && record !== undefined && !(await isWhole(record.dir, one.files));
    shown.push({
      key: `${sha256(one.runtime).slice(0, 8)}-${one.id}`,
      at: one.timestamp,
      command: one.command,
      skill: record?.name ?? one.skill,
      skillId: record?.id ?? null,
      subject: isLocked ? null : one.subject,
      tokens: one.tokens,
      durationMs: one.durationMs,
      error: one.error,
      project: showPlace(one.cwd, workspace),
      run: one.run,
    });
  }
  return shown;

  async function isWhole(dir: string, files: readonly string[]): Promise<boolean> {
    try {
      const opened = await access.openAt(dir, { operation: 'inspect' }, dir);
      return (await opened.reach(files)).isWhole;
    } catch {
      // Gone since, or not readable.
      return false;
    }
  }
}
