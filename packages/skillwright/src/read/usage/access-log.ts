// The access log of one skill: a database that many processes write to at once, one row at a time.
//
// Writing must be cheap, because every read does it. skc opens the file, compares its tables with the schema, and inserts
// one row. Nothing is flushed to disk: a crash of skc loses no row, a power failure
// may lose the last ones. A long-lived process keeps its logs open.

import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Diagnostic, diagnose } from '../../base/diagnostics/index.ts';
import { setAside } from '../../base/files/index.ts';
import { isForeign } from '../../base/sqlite/index.ts';
import { ownRootOf } from '../../skill/workspace/index.ts';
import { createLog, isCorrupt, openLogFile } from './log-file.ts';

/** Logs that stay open in one process. */
const MAX_OPEN = 64;

interface OpenLog {
  /** Identity of the opened file, to detect a replacement. */
  readonly inode: bigint | undefined;
  readonly database: DatabaseSync;
  readonly insert: StatementSync;
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

/** Adds a row; throws file system and SQLite errors. Moves a damaged or foreign log to the backups and starts a new one. */
export function appendToLog(path: string, row: AccessRow, writer: LogWriter): void {
  withLog(path, writer, ({ insert }) => insert.run(...valuesOf(row)));
}

/**
 * Adds new rows of local logs, all or none, and returns how many. Flushes them to disk before it returns, because the
 * caller deletes the only other copy.
 */
export function bringHome(
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

/** Closes the logs of this process; the next write opens them again. */
export function closeLogs(): void {
  for (const path of [...openLogs.keys()]) closeLog(path);
}

function withLog<Result>(path: string, writer: LogWriter, work: (log: OpenLog) => Result): Result {
  const before = inodeOf(path);
  try {
    return work(openLog(path, before, writer));
  } catch (error) {
    closeLog(path);
    if (!isCorrupt(error) && !isForeign(error)) throw error;
    // Another process may have created a new one.
    if (inodeOf(path) === before) moveAway(path, error as Error, writer);
  }
  try {
    return work(openLog(path, inodeOf(path), writer));
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

function openLog(path: string, inode: bigint | undefined, { home }: LogWriter): OpenLog {
  const known = openLogs.get(path);
  if (known !== undefined && known.inode === inode) return known;
  closeLog(path);
  if (inode === undefined || lstatSync(path, { throwIfNoEntry: false })?.size === 0) createLog(path, home);
  const database = openLogFile(path, { readOnly: false });
  try {
    // A server keeps many logs open; pages of an append-only log are rarely read again.
    database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -128');
    const log = { database, insert: database.prepare(insertRow), inode: inodeOf(path) };
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

function inodeOf(path: string): bigint | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
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
export const insertRow = `INSERT INTO access_log (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;

/** Values that `insertRow` binds. */
export function valuesOf(row: AccessRow): (string | number | null)[] {
  return columns.map((column) => {
    const value = row[column];
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  });
}
