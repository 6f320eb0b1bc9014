// The access log of one skill: a database that many processes write to at once, one row at a time. Its schema, its
// creation, its integrity, and opening it for reading.
//
// Writing must be cheap, because every read does it. skc opens the file, compares its tables with the schema, and inserts
// one row. Nothing is flushed to disk: a crash of skc loses no row, a power failure
// may lose the last ones. A long-lived process keeps its logs open, except on Windows.

import { type BigIntStats, linkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  attempt,
  type Diagnostic,
  diagnose,
  orUndefined,
  SkillwrightError,
} from '../../base/diagnostics/index.ts';
import {
  discardTemporary,
  exactStatusAt,
  refuseLinks,
  removePath,
  renamePath,
  setAside,
  statusAt,
  systemErrorCode,
  targetAt,
  temporaryBeside,
} from '../../base/files/index.ts';
import {
  type DatabaseShape,
  isForeign,
  isSound,
  newDatabase,
  openDatabase,
} from '../../base/sqlite/index.ts';
import { buildRecord } from '../../skill/skill/index.ts';
import { makeRuntimeDirectory, OWN_DIRECTORY, ownRootOf } from '../../skill/workspace/index.ts';

/** Logs that stay open in one process. */
const MAX_OPEN = 64;

interface OpenLog {
  /** Identity of the opened file, to detect a replacement. */
  readonly inode: bigint | undefined;
  readonly database: DatabaseSync;
  readonly insert: StatementSync;
  readonly newest: StatementSync;
}

const openLogs = new Map<string, OpenLog>();
let closesAtExit = false;

/** Time of the row, and the record of files skc made. */
export interface LogWriter {
  readonly now: Date;
  readonly home?: string | undefined;
  /** Called when another file was in the log's place. */
  report(diagnostic: Diagnostic): void;
}

/** The row before. */
export type LastRow = Pick<AccessRow, 'timestamp' | 'run_id' | 'cwd'>;

/**
 * Adds a row, made knowing the one before; throws file system and SQLite errors. Moves a damaged or foreign log to the
 * backups and starts a new one.
 */
export function appendToLog(path: string, make: (last?: LastRow) => AccessRow, writer: LogWriter): void {
  withLog(path, writer, ({ insert, newest }) => {
    insert.run(...valuesOf(make(newest.get() as LastRow | undefined)));
  });
}

/**
 * Adds new rows of local logs, all or none, and returns how many. Flushes them to disk before it returns, because the
 * caller deletes the only other copy.
 */
export function addRows(
  path: string,
  rows: readonly { uid: string; row: AccessRow }[],
  writer: LogWriter,
): { added: number; known: number } {
  return withLog(path, writer, ({ database, insert }) => {
    database.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
    try {
      const remember = database.prepare('INSERT OR IGNORE INTO synced_row VALUES (?, ?)');
      const counts = { added: 0, known: 0 };
      for (const { uid, row } of rows) {
        const isNew = remember.run(uid, row.timestamp).changes > 0;
        if (isNew) insert.run(...valuesOf(row));
        counts[isNew ? 'added' : 'known'] += 1;
      }
      database.exec('COMMIT');
      return counts;
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    } finally {
      database.exec('PRAGMA synchronous = OFF');
    }
  });
}

/** Moves the log of a skill that was read before it was built: `from` and `to` are its directories. Never fails a build. */
export function moveLog(from: string, to: string, writer: LogWriter): void {
  orUndefined(() => {
    const rows = readLog({ runtime: from, home: writer.home }, (database) => {
      const log = Number(database.prepare('PRAGMA user_version').get()?.user_version);
      return database
        .prepare(`SELECT id, ${columns.join(', ')} FROM access_log ORDER BY id`)
        .all()
        .map(({ id, args, ...row }) => ({
          uid: `${log}-${id}`,
          row: { ...row, args: JSON.parse(String(args)) } as unknown as AccessRow,
        }));
    });
    if (rows !== undefined && rows.length > 0) addRows(logPath(to), rows, writer);
    closeLog(logPath(from));
    removePath(from, { recursive: true, force: true });
  });
}

/** Closes the logs of this process; the next write opens them again. */
export function closeLogs(): void {
  for (const path of [...openLogs.keys()]) closeLog(path);
}

/** Windows deletes no open file, so there a log is closed after every write: its skill can be cleaned and uninstalled. */
function withLog<Result>(path: string, writer: LogWriter, work: (log: OpenLog) => Result): Result {
  try {
    return workOnLog(path, writer, work);
  } finally {
    if (process.platform === 'win32') closeLog(path);
  }
}

function workOnLog<Result>(path: string, writer: LogWriter, work: (log: OpenLog) => Result): Result {
  const before = exactStatusAt(path);
  try {
    return work(openLog(path, before, writer));
  } catch (error) {
    closeLog(path);
    if (!isCorrupt(error) && !isForeign(error)) throw error;
    // Another process may have created a new one.
    if (exactStatusAt(path)?.ino === before?.ino) moveAway(path, error as Error, writer);
  }
  try {
    return work(openLog(path, exactStatusAt(path), writer));
  } catch (error) {
    closeLog(path);
    throw error;
  }
}

/** Moves a damaged or foreign log to the backups. */
function moveAway(path: string, { message }: Error, { now, report }: LogWriter): void {
  const root = ownRootOf(path);
  const name = `${basename(dirname(dirname(path)))}-${basename(path)}`;
  const ends = ['-wal', '-shm', '-journal'];
  const kept = setAside(path, { root, directory: join(root, 'backups'), name, now, ends });
  const why = message.startsWith('cannot read') ? message.slice(message.indexOf(': ') + 2) : message;
  report(diagnose('W009', { path, why, kept }));
}

function openLog(path: string, before: BigIntStats | undefined, { home }: LogWriter): OpenLog {
  const known = openLogs.get(path);
  if (known !== undefined && known.inode === before?.ino) return known;
  closeLog(path);
  const isNew = before === undefined || before.size === 0n;
  if (isNew) createLog(path, home);
  const database = openLogFile(path, { readOnly: false });
  try {
    // A server keeps many logs open; pages of an append-only log are rarely read again.
    database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -128');
    const newest = database.prepare('SELECT timestamp, run_id, cwd FROM access_log ORDER BY id DESC LIMIT 1');
    // If the file was replaced before it was opened, the next write opens it again.
    const inode = (isNew ? exactStatusAt(path) : before)?.ino;
    const log = { database, newest, insert: database.prepare(insertRow), inode };
    for (const [oldest] of openLogs) if (openLogs.size >= MAX_OPEN) closeLog(oldest);
    // The last process to close a log merges its three files into one.
    if (!closesAtExit) process.once('exit', closeLogs);
    closesAtExit = true;
    openLogs.set(path, log);
    return log;
  } catch (error) {
    database.close();
    throw error;
  }
}

function closeLog(path: string): void {
  const log = openLogs.get(path);
  openLogs.delete(path);
  if (log?.database.isOpen) log.database.close();
}

/** Log entry of an operation. */
export interface LoggedAccess {
  readonly command: string;
  readonly skill: string;
  readonly skill_path: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Error code, or null. */
  readonly error: string | null;
  readonly bytes: number;
  readonly tokens: number;
  readonly duration_ms: number;
}

/** An access with its time and working directory. */
export interface AccessRow extends LoggedAccess {
  /** RFC 3339 in UTC with milliseconds, so that rows sort as text. */
  readonly timestamp: string;
  readonly run_id: string;
  readonly cwd: string;
}

/** Columns of a row, in the order of `valuesOf`. */
const columns = [
  'timestamp',
  'run_id',
  'command',
  'skill',
  'skill_path',
  'cwd',
  'args',
  'error',
  'bytes',
  'tokens',
  'duration_ms',
] as const satisfies readonly (keyof AccessRow)[];

/** The statement that writes one row. */
const insertRow = `INSERT INTO access_log (${columns.join(', ')}) VALUES (${Array(columns.length).fill('?').join(', ')})`;

/** Values that `insertRow` binds. */
function valuesOf(row: AccessRow): (string | number | null)[] {
  return columns.map((column) => {
    const value = row[column];
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  });
}

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
  makeRuntimeDirectory(dirname(path), home);
  const temporary = temporaryBeside(path);
  const number = 1 + Math.floor(Math.random() * 0x7ffffffe);
  try {
    const database = newDatabase(temporary);
    try {
      database.exec(
        `PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL; PRAGMA user_version = ${number}; ${schema}`,
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
  if (targetAt(path)?.size === 0) {
    renamePath(temporary, path);
    return;
  }
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return;
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(systemErrorCode(error) ?? ''))
      throw error;
    renamePath(temporary, path);
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
const isCorrupt = (error: unknown) => [11, 26].includes(resultCode(error) ?? 0);

/** The file could not be opened, for instance because its directory is missing. */
const isNotOpened = (error: unknown) => resultCode(error) === 14;

/** The directory is not writable, not even for the files that readers share. */
const isReadOnly = (error: unknown) => resultCode(error) === 8;

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
  if ((statusAt(path)?.size ?? 0) === 0) return undefined;
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
