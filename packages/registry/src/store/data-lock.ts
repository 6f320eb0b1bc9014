// The lock on a data directory. The operating system holds it: it ends with its process, however that ends, and counts for
// every container that mounts the directory.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Problem } from '../problem.ts';

/** The process that has a data directory. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

/** A lock that is held. */
export interface DataLock {
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

/** Takes the lock, or fails with `DirectoryInUse`. */
export function lockData(directory: string): DataLock {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // SQLite takes the operating system's lock on the file; the file stays empty.
  const file = new DatabaseSync(join(directory, 'lock'), { timeout: 0 });
  try {
    file.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    file.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new DirectoryInUse(directory, readHolder(directory));
  }
  const note = join(directory, HOLDER);
  const holder: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  writeFileSync(note, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  return {
    release() {
      if (!file.isOpen) return;
      rmSync(note, { force: true });
      file.close();
    },
  };
}

const SQLITE_BUSY = 5;
const HOLDER = 'lock.json';

function readHolder(directory: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, HOLDER), 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}
