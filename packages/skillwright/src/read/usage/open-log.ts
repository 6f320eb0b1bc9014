// A log opened to be read.

import { lstatSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isLogError, isNotOpened, isReadOnly } from './log-error.ts';
import { checkSound, logPath, openLogFile } from './log-file.ts';

/** Whose log is meant, and where what skc made is recorded; without a record the log is looked through each time. */
export interface LogOwner {
  readonly runtime: string;
  readonly home?: string | undefined;
}

/** Runs `read` on a log; undefined when there is none. E015 when it is unreadable or not one of ours, E017 for a link. */
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
  // Readers of a WAL database share a file beside it. Where none can be made, nobody can be writing either.
  return openLogFile(path, { readOnly: true, immutable: true });
}

/** E015 for what SQLite says; anything else is a bug and stays as it is. */
function logReadError(path: string, error: unknown): unknown {
  if (!isLogError(error)) return error;
  const why = (error as Error).message;
  const help = 'a damaged log is set aside and a new one begun at the next access';
  return SkillwrightError.of('E015', { path, why }, { help, cause: error });
}
