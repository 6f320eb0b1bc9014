// Writing down an access: in the skill's own log, else beside the work, else not at all. Nothing here fails a command.

import { type Diagnostic, diagnose, SkillwrightError } from '../../base/diagnostics/index.ts';
import { describeSystemError, type Environment } from '../../base/files/index.ts';
import { appendToLog } from './access-log.ts';
import type { LoggedAccess } from './access-row.ts';
import { appendLocally, localLogDirectory, oldestLocalRow } from './local-log.ts';
import { logPath } from './log-file.ts';
import { runIdOf } from './run-id.ts';

/** Where and when it happened. */
export interface AccessPlace {
  readonly runtime: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly now: Date;
  /** The home directory, which has the record of what skc made. */
  readonly home?: string | undefined;
}

const STALE_AFTER_MS = 60 * 60_000;

/** Writes one row. W002 when it can be written nowhere, W003 when rows beside the work have waited for an hour. */
export function writeAccess(access: LoggedAccess, place: AccessPlace): Diagnostic[] {
  const { runtime, cwd, env, now, home } = place;
  const diagnostics: Diagnostic[] = [];
  const row = { ...access, timestamp: now.toISOString(), run_id: runIdOf(env, now), cwd };
  const local = localLogDirectory(cwd, access.skill);
  try {
    appendToLog(logPath(runtime), row, { now, home, report: (diagnostic) => diagnostics.push(diagnostic) });
  } catch (failure) {
    // A link is somebody's trick or mistake: a second place for rows would hide it.
    if (failure instanceof SkillwrightError && failure.code === 'E017')
      return [diagnose('W002', { why: failure.message })];
    try {
      appendLocally(local, row);
    } catch {
      // The first failure is the one to mend.
      return [diagnose('W002', { why: describeSystemError(failure) })];
    }
  }
  const oldest = oldestLocalRow(local);
  const isStale = oldest !== undefined && now.getTime() - Date.parse(oldest) > STALE_AFTER_MS;
  return isStale ? [...diagnostics, diagnose('W003', {})] : diagnostics;
}
