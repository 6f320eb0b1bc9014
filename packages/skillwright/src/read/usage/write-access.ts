// Logs an access: in the skill's own log, else in the local log, else not at all. Never fails a command.

import { type Diagnostic, diagnose, SkillwrightError } from '../../base/diagnostics/index.ts';
import { describeSystemError, type Environment } from '../../base/files/index.ts';
import { readVariable } from '../../base/variables.ts';
import { appendToLog } from './access-log.ts';
import type { LoggedAccess } from './access-row.ts';
import { appendLocally, localLogDirectory, oldestLocalRow } from './local-log.ts';
import { logPath } from './log-file.ts';

/** Time and place of an access. */
export interface AccessPlace {
  readonly runtime: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly now: Date;
  /** The home directory, which holds the record of files skc made. */
  readonly home?: string | undefined;
}

const STALE_AFTER_MS = 60 * 60_000;

/** Writes one row. W002 when no log can be written, W003 when local rows have waited for an hour. */
export function writeAccess(access: LoggedAccess, place: AccessPlace): Diagnostic[] {
  const { runtime, cwd, env, now, home } = place;
  const diagnostics: Diagnostic[] = [];
  const row = { ...access, timestamp: now.toISOString(), run_id: runIdOf(env, now), cwd };
  const local = localLogDirectory(cwd, access.skill);
  try {
    appendToLog(logPath(runtime), row, { now, home, report: (diagnostic) => diagnostics.push(diagnostic) });
  } catch (failure) {
    // A link is an attack or a mistake: falling back to the local log would hide it.
    if (failure instanceof SkillwrightError && failure.code === 'E017')
      return [diagnose('W002', { why: failure.message })];
    try {
      appendLocally(local, row);
    } catch {
      // Report the first failure: it is the one to fix.
      return [diagnose('W002', { why: describeSystemError(failure) })];
    }
  }
  const oldest = oldestLocalRow(local);
  const isStale = oldest !== undefined && now.getTime() - Date.parse(oldest) > STALE_AFTER_MS;
  return isStale ? [...diagnostics, diagnose('W003', {})] : diagnostics;
}

// Id shared by the accesses of one run.

const MAX_LENGTH = 200;

let ownRun: string | undefined;

/** `SKC_RUN_ID`, else an id for this process: `20260102T030405Z-1a2b`. */
export function runIdOf(env: Environment, now: Date): string {
  const given = readVariable(env, 'RUN_ID');
  if (given !== undefined) return given.slice(0, MAX_LENGTH);
  if (ownRun === undefined) {
    const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
    const random = Math.floor(Math.random() * 0x10000);
    ownRun = `${time}-${random.toString(16).padStart(4, '0')}`;
  }
  return ownRun;
}
