// Opens a log for reading.

import { lstatSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isLogError, isNotOpened, isReadOnly } from './log-error.ts';
import { checkSound, logPath, openLogFile } from './log-file.ts';

/** The skill's runtime directory, and the record of files skc made; without a record, the log is checked every time. */
export interface LogOwner {
  readonly runtime: string;
  readonly home?: string | undefined;
}

/** Runs `read` on a log; undefined when there is none. E015 when it is unreadable or foreign, E017 for a link. */
export function readLog<Result>(
  { runtime, home }: LogOwner,
  read: (database: DatabaseSync) => Result,
): Result | undefined {
  const path = logPath(runtime);
  if ((lstatSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined;
  let database: DatabaseSync | undefined;
  try {
    database = openReadOnly(path);
    checkSound(database, path, home);
    return read(database);
  } catch (error) {
    throw logReadError(path, error);
  } finally {
    database?.close();
  }
}

function openReadOnly(path: string): DatabaseSync {
  try {
    return openLogFile(path, { readOnly: true });
  } catch (error) {
    if (!isNotOpened(error) && !isReadOnly(error)) throw error;
  }
  // Readers of a WAL database share a file next to it. If it cannot be created, there can be no writers either.
  return openLogFile(path, { readOnly: true, immutable: true });
}

/** E015 for SQLite errors; anything else is a bug and passes through. */
function logReadError(path: string, error: unknown): unknown {
  if (!isLogError(error)) return error;
  const why = (error as Error).message;
  const help = 'the next access moves a damaged log to the backups and starts a new one';
  return SkillwrightError.of('E015', { path, why }, { help, cause: error });
}
