// The file of an access log: what it looks like, how a new one is made, and whether one may be read to its end.

import { linkSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { attempt, SkillwrightError } from '../../base/diagnostics/index.ts';
import { discardTemporary, refuseLinks, systemErrorCode, temporaryBeside } from '../../base/files/index.ts';
import { type DatabaseShape, isSound, openDatabase } from '../../base/sqlite/index.ts';
import { buildRecord } from '../../skill/skill/index.ts';
import { OWN_DIRECTORY, ownRootOf } from '../../skill/workspace/index.ts';

/** The log of the skill with this runtime directory. */
export function logPath(runtime: string): string {
  return join(runtime, OWN_DIRECTORY, 'logs.db');
}

/**
 * The index has equal accesses side by side for the statistics. `synced_row` remembers which rows of local logs have
 * come home, so that none comes twice.
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

/** How a log is recognised. */
export const logShape: DatabaseShape = {
  schema,
  shape: 'aed4d82727363cd8',
  maxBytes: 8 * 1024 * 1024 * 1024,
};

/** How long to wait for other processes. */
const BUSY_MS = 5000;

/** Opens a log that exists. E017 when a link is on the way, E015 when it is not one of ours, else what SQLite throws. */
export function openLogFile(
  path: string,
  how: { readonly readOnly: boolean; readonly immutable?: boolean },
): DatabaseSync {
  return openDatabase(path, { ...how, of: logShape, root: ownRootOf(path), timeout: BUSY_MS });
}

/**
 * Makes a log, unless another process has just made it. It is made whole beside its place, so that no log ever has a
 * journal of another kind than WAL beside it, and gets a number by which it is known in the home directory.
 */
export function createLog(path: string, home: string | undefined): void {
  refuseLinks(ownRootOf(path), dirname(path));
  mkdirSync(dirname(path), { recursive: true });
  const temporary = temporaryBeside(path);
  const number = 1 + Math.floor(Math.random() * 0x7ffffffe);
  try {
    const database = new DatabaseSync(temporary, { defensive: true });
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

/** A link of the file system replaces nothing; an empty file is as good as none. */
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
 * E015 when the pages of a log do not hang together: a query could go round in it for ever. A log that was made here, or
 * has passed once, is known by its number in the home directory and not looked through again.
 */
export function checkSound(database: DatabaseSync, path: string, home: string | undefined): void {
  const number = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  const record = home === undefined || number === 0 ? undefined : buildRecord(home);
  if (record?.hasFile(path, nameOf(number))) return;
  if (!isSound(database)) throw SkillwrightError.of('E015', { path, why: 'the database is damaged' });
  attempt(() => record?.addFile(path, nameOf(number)));
}
