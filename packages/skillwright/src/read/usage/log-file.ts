// The file of an access log: its schema, creation and integrity check.

import { linkSync, mkdirSync, renameSync, statSync } from 'node:fs';
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
