// The latest accesses.

import { sha256 } from '../../../base/files/index.ts';
import type { ActivityView, ShownAccess } from '../views/activity-view.ts';
import { showPlace } from './show-place.ts';
import type { Look, StudioState } from './studio-state.ts';
import type { LoggedAccess } from './usage-counts.ts';

/** The page. */
export async function readActivity(state: StudioState): Promise<ActivityView> {
  const look = await state.look();
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
