// The lock on a data directory. The operating system holds it: it ends with its process, however that ends, and counts for
// every container that mounts the directory.

import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeSystemError, systemErrorCode } from 'skillwright/base';
import { Problem } from '../base/index.ts';

/** The process that has a data directory. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/** A lock that is held. */
interface DataLock {
  release(): void;
}

/** Another process has the directory. */
export class DirectoryInUse extends Problem {
  readonly holder: Holder | undefined;

  constructor(directory: string, holder: Holder | undefined) {
    const who =
      holder === undefined ? '' : `: process ${holder.pid} on ${holder.host}, since ${holder.since}`;
    super(
      `another process uses the data directory ${directory}${who}. Stop it first, or use another directory (--data). For several processes use PostgreSQL (DATABASE_URL).`,
    );
    this.holder = holder;
  }
}

/** Takes the lock, or fails with `DirectoryInUse`. Makes the directory if there is none. */
export function lockData(directory: string): DataLock {
  prepare(directory);
  // SQLite takes the operating system's lock on the file; the file stays empty.
  const file = openLockFile(directory);
  try {
    file.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    file.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY)
      throw new DirectoryInUse(directory, readHolder(directory));
    throw new UnusableDirectory(directory, `its file lock cannot be locked: ${(error as Error).message}`);
  }
  const note = join(directory, HOLDER);
  const holder: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  try {
    writeFileSync(note, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  } catch (error) {
    file.close();
    throw new UnusableDirectory(directory, `its file ${HOLDER}: ${describeSystemError(error)}`);
  }
  return {
    release() {
      if (!file.isOpen) return;
      rmSync(note, { force: true });
      file.close();
    },
  };
}

/** The directory cannot hold a registry. */
class UnusableDirectory extends Problem {
  constructor(directory: string, why: string) {
    super(
      `cannot use the data directory ${directory}: ${why}. Name a directory that this user may read and write: --data <directory>`,
    );
  }
}

function prepare(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const isFile = systemErrorCode(error) === 'EEXIST';
    throw new UnusableDirectory(directory, isFile ? 'it is a file' : describeSystemError(error));
  }
}

function openLockFile(directory: string): DatabaseSync {
  try {
    return new DatabaseSync(join(directory, 'lock'), { timeout: 0 });
  } catch (error) {
    throw new UnusableDirectory(directory, `its file lock: ${(error as Error).message}`);
  }
}

const SQLITE_BUSY = 5;
const HOLDER = 'lock.json';

/** The process noted as the one that has the directory. */
export function readHolder(directory: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, HOLDER), 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}
