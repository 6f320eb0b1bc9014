// The access log of one skill: a database that many processes write to at once, a row at a time.
//
// Writing has to be cheap, as it is part of every read. The file is opened, one row inserted, and nothing else asked;
// tables are made when the insert misses them. Nothing is flushed to the disk: a crash of skc loses no row, a power cut
// may lose the last ones. A process that goes on keeps its logs open.

import { mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { sleepSync } from '../../base/files/index.ts';
import { OWN_DIRECTORY } from '../../skill/workspace/index.ts';
import { type AccessRow, insertRow, valuesOf } from './access-row.ts';
import { isBusy, isCorrupt, isMissingTable, isNotOpened } from './log-error.ts';

/** The log of the skill with this runtime directory. */
export function logPath(runtime: string): string {
  return join(runtime, OWN_DIRECTORY, 'logs.db');
}

/** How long a writer waits for others. */
const BUSY_MS = 5000;
/** Logs that stay open in one process. */
const MAX_OPEN = 64;

/**
 * The index has equal accesses side by side for the statistics. `synced_row` remembers which rows of local logs have
 * come home, so that none comes twice.
 */
const schema = `
CREATE TABLE IF NOT EXISTS access_log (
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
CREATE INDEX IF NOT EXISTS access_log_served ON access_log (command, args) WHERE error IS NULL;
CREATE TABLE IF NOT EXISTS synced_row (uid TEXT PRIMARY KEY, timestamp TEXT NOT NULL) WITHOUT ROWID;
`;

interface OpenLog {
  /** Which file was opened: another may take its place. */
  readonly inode: bigint | undefined;
  readonly database: DatabaseSync;
  readonly insert: StatementSync;
}

const openLogs = new Map<string, OpenLog>();
let closesAtExit = false;

/** Adds a row; throws what the file system or SQLite throws. A damaged log is set aside and a new one begun. */
export function appendToLog(path: string, row: AccessRow, now: Date): void {
  withLog(path, now, ({ insert }) => insert.run(...valuesOf(row)));
}

/**
 * Adds rows of local logs that are not there yet, all or none, and gives how many. They are on the disk when this
 * returns: whoever calls it deletes the only other copy.
 */
export function bringHome(
  path: string,
  rows: readonly { uid: string; row: AccessRow }[],
  now: Date,
): { added: number; known: number } {
  return withLog(path, now, ({ database, insert }) => {
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

/** Closes the logs this process has open; they are opened again when there is something to write. */
export function closeLogs(): void {
  for (const path of [...openLogs.keys()]) closeLog(path);
}

function withLog<Result>(path: string, now: Date, work: (log: OpenLog) => Result): Result {
  const inode = inodeOf(path);
  try {
    return work(openLog(path, inode));
  } catch (error) {
    closeLog(path);
    if (!isCorrupt(error) || !setAside(path, inode, now)) throw error;
  }
  try {
    return work(openLog(path, inodeOf(path)));
  } catch (error) {
    closeLog(path);
    throw error;
  }
}

function openLog(path: string, inode: bigint | undefined): OpenLog {
  const known = openLogs.get(path);
  if (known !== undefined && known.inode === inode) return known;
  closeLog(path);
  const database = openDatabase(path);
  try {
    // Many logs stay open in a server; pages of one that is only appended to are hardly read again.
    database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -128');
    const log = { database, insert: prepareInsert(database), inode: inode ?? inodeOf(path) };
    for (const [oldest] of openLogs) if (openLogs.size >= MAX_OPEN) closeLog(oldest);
    // Whoever closes a log last leaves one file in place of three.
    if (!closesAtExit) process.once('exit', closeLogs);
    closesAtExit = true;
    openLogs.set(path, log);
    return log;
  } catch (error) {
    database.close();
    throw error;
  }
}

function openDatabase(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: BUSY_MS });
  } catch (error) {
    if (!isNotOpened(error)) throw error;
    mkdirSync(dirname(path), { recursive: true });
    return new DatabaseSync(path, { timeout: BUSY_MS });
  }
}

function prepareInsert(database: DatabaseSync): StatementSync {
  try {
    return database.prepare(insertRow);
  } catch (error) {
    if (!isMissingTable(error)) throw error;
    createTables(database);
    return database.prepare(insertRow);
  }
}

/** Switching to WAL needs the file alone, and SQLite does not wait for that: so this does. */
function createTables(database: DatabaseSync): void {
  const deadline = Date.now() + BUSY_MS;
  for (;;) {
    try {
      database.exec(`PRAGMA journal_mode = WAL; ${schema}`);
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
      sleepSync(1 + Math.random() * 20);
    }
  }
}

/** Moves a damaged log out of the way, unless another has taken its place meanwhile. False when it cannot be moved. */
function setAside(path: string, damaged: bigint | undefined, now: Date): boolean {
  if (inodeOf(path) !== damaged) return true;
  const kept = `${path}.corrupt-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`;
  try {
    renameSync(path, kept);
  } catch {
    return false;
  }
  for (const end of ['-wal', '-shm']) {
    try {
      renameSync(`${path}${end}`, `${kept}${end}`);
    } catch {
      // Mostly there is none.
    }
  }
  return true;
}

function closeLog(path: string): void {
  const log = openLogs.get(path);
  openLogs.delete(path);
  if (log?.database.isOpen) log.database.close();
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}
