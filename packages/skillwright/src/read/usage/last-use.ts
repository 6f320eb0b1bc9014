// Time of the last read of a skill.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { type LogOwner, readLog } from './open-log.ts';

/** Time of the last access in the log of a runtime directory; null without accesses or without a readable log. */
export function lastUse(owner: LogOwner): string | null {
  try {
    const row = readLog(owner, (database) =>
      database
        .prepare("SELECT timestamp FROM access_log WHERE command <> 'build' ORDER BY id DESC LIMIT 1")
        .get(),
    );
    return typeof row?.timestamp === 'string' ? row.timestamp : null;
  } catch (error) {
    if (error instanceof SkillwrightError) return null;
    throw error;
  }
}
