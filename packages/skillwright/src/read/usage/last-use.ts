// When a skill was last read.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { type LogOwner, readLog } from './open-log.ts';

/** The time of the last access in the log of a runtime directory; null when there is none, or no log that can be read. */
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
