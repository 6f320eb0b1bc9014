// A log opened to be read.

import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { isLogError, isMissingTable, isNotOpened, isReadOnly } from './log-error.ts';

/** Runs `read` on a log; undefined when there is none, or nothing was ever written to it. E015 when it is unreadable. */
export function readLog<Result>(path: string, read: (database: DatabaseSync) => Result): Result | undefined {
  if (!existsSync(path)) return undefined;
  let database: DatabaseSync | undefined;
  try {
    database = openReadOnly(path);
    return read(database);
  } catch (error) {
    if (isMissingTable(error)) return undefined;
    throw logReadError(path, error);
  } finally {
    database?.close();
  }
}

function openReadOnly(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    database.prepare('SELECT 1 FROM access_log LIMIT 1').get();
    return database;
  } catch (error) {
    database.close();
    if (!isNotOpened(error) && !isReadOnly(error)) throw error;
  }
  // Readers of a WAL database share a file beside it. Where none can be made, nobody can be writing either.
  return new DatabaseSync(`${pathToFileURL(path).href}?immutable=1`, { readOnly: true });
}

/** E015 for what SQLite says; anything else is a bug and stays as it is. */
function logReadError(path: string, error: unknown): unknown {
  if (!isLogError(error)) return error;
  const why = (error as Error).message;
  const help = 'a damaged log is set aside and a new one begun at the next access';
  return SkillwrightError.of('E015', { path, why }, { help, cause: error });
}
