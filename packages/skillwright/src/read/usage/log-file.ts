// The file of an access log: its schema, its creation, its integrity, and opening it for reading.

import { linkSync, lstatSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { attempt, SkillwrightError } from '../../base/diagnostics/index.ts';
import { discardTemporary, refuseLinks, systemErrorCode, temporaryBeside } from '../../base/files/index.ts';
import { type DatabaseShape, isSound, newDatabase, openDatabase } from '../../base/sqlite/index.ts';
import { buildRecord } from '../../skill/skill/index.ts';
import { OWN_DIRECTORY, ownRootOf } from '../../skill/workspace/index.ts';

/** Log path in a runtime directory. */
export function logPath(runtime: string): string {
  return join(runtime, OWN_DIRECTORY, 'logs.db');
}

/**
 * The index groups equal accesses for the statistics. `synced_row` has the ids of merged local rows, so that none is
 * merged twice.
 */
const schema = `
CREATE TABLE access_log (
  id INTEGER PRIMARY KEY,
  timestamp TEXT NOT NULL,
  run_id TEXT NOT NULL,
  command TEXT NOT NULL,
  skill TEXT NOT NULL,
  skill_path TEXT NOT NULL,
  cwd TEXT NOT NULL,
  args TEXT NOT NULL,
  error TEXT,
  bytes INTEGER NOT NULL DEFAULT 0,
  tokens INTEGER NOT NULL DEFAULT 0,
  duration_ms REAL NOT NULL DEFAULT 0
);
CREATE INDEX access_log_served ON access_log (command, args) WHERE error IS NULL;
CREATE TABLE synced_row (uid TEXT PRIMARY KEY, timestamp TEXT NOT NULL) WITHOUT ROWID;
`;

/** Identifies a log. */
export const logShape: DatabaseShape = {
  schema,
  shape: 'aed4d82727363cd8',
  maxBytes: 8 * 1024 * 1024 * 1024,
};

/** How long to wait for other processes. */
const BUSY_MS = 5000;

/** Opens an existing log. E017 when a link is on the path, E015 for a foreign file, else SQLite errors. */
export function openLogFile(
  path: string,
  how: { readonly readOnly: boolean; readonly immutable?: boolean },
): DatabaseSync {
  return openDatabase(path, { ...how, of: logShape, root: ownRootOf(path), timeout: BUSY_MS });
}

/**
 * Creates a log, unless another process has just done so. It is created under a temporary name, so that a log never
 * has a journal other than WAL, and gets a number that the home directory records.
 */
export function createLog(path: string, home: string | undefined): void {
  refuseLinks(ownRootOf(path), dirname(path));
  mkdirSync(dirname(path), { recursive: true });
  const temporary = temporaryBeside(path);
  const number = 1 + Math.floor(Math.random() * 0x7ffffffe);
  try {
    const database = newDatabase(temporary);
    try {
      database.exec(
        `PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA user_version = ${number}; ${schema}`,
      );
    } finally {
      database.close();
    }
    if (home !== undefined) attempt(() => buildRecord(home).addFile(path, nameOf(number)));
    putInPlace(temporary, path);
  } finally {
    discardTemporary(temporary);
  }
}

/** A hard link replaces nothing; an empty file counts as missing. */
function putInPlace(temporary: string, path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size === 0) {
    renameSync(temporary, path);
    return;
  }
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return;
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(systemErrorCode(error) ?? ''))
      throw error;
    renameSync(temporary, path);
  }
}

const nameOf = (number: number) => `log-${number}`;

/**
 * E015 when the pages of a log are inconsistent: a query could loop forever. A log that was created here, or has
 * passed the check once, is recorded by number in the home directory and not checked again.
 */
export function checkSound(database: DatabaseSync, path: string, home: string | undefined): void {
  const number = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  const record = home === undefined || number === 0 ? undefined : buildRecord(home);
  if (record?.hasFile(path, nameOf(number))) return;
  if (!isSound(database)) throw SkillwrightError.of('E015', { path, why: 'the database is damaged' });
  attempt(() => record?.addFile(path, nameOf(number)));
}

/** Primary result code of an SQLite error; undefined for any other error. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== 'ERR_SQLITE_ERROR')
    return undefined;
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : 1;
}

/** True for every SQLite error. */
export const isLogError = (error: unknown) => resultCode(error) !== undefined;

/** Another process holds the lock. */
export const isBusy = (error: unknown) => [5, 6].includes(resultCode(error) ?? 0);

/** The file is damaged or not a database. */
export const isCorrupt = (error: unknown) => [11, 26].includes(resultCode(error) ?? 0);

/** The file could not be opened, for instance because its directory is missing. */
export const isNotOpened = (error: unknown) => resultCode(error) === 14;

/** The directory is not writable, not even for the files that readers share. */
export const isReadOnly = (error: unknown) => resultCode(error) === 8;

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
