// Locks between processes. The operating system holds them, through SQLite: a lock ends with its owner, however that
// ends, and does not rely on process ids or clocks.

import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { orUndefined, SkillwrightError } from '../diagnostics/index.ts';
import {
  isOpenElsewhere,
  makeDirectory,
  refuseLinks,
  retrySync,
  statusAt,
  writeError,
} from '../files/index.ts';
import { type DatabaseShape, openDatabase } from './open-database.ts';

/** The file of a lock is an empty database, and stays empty. */
const emptyFile: DatabaseShape = { schema: '', shape: '4f53cda18c2baa0c', maxBytes: 0 };

const SQLITE_BUSY = 5;
const WAIT_MS = 2000;
const PAUSE_MS = 10;

/** True when another process holds a lock. */
export function isHeld(error: unknown): boolean {
  return error instanceof Error && (error as { errcode?: unknown }).errcode === SQLITE_BUSY;
}

/**
 * Takes the lock with this file, making it if needed, and returns its release. Throws what `isHeld` recognises while
 * another process has it; E015, E016 or E017 when the file cannot be used. `root`: no link below it is followed.
 */
export function holdLock(file: string, root = dirname(file)): () => void {
  makeFile(file, root);
  const database = openDatabase(file, { of: emptyFile, root, readOnly: false });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw error;
  }
  return () => {
    if (database.isOpen) database.close();
  };
}

function makeFile(file: string, root: string): void {
  makeDirectory(dirname(file));
  refuseLinks(root, file);
  try {
    writeFileSync(file, '', { flag: 'a' });
  } catch (error) {
    throw writeError(file, error);
  }
}

/** Waits for the lock of a small file and takes it. Where that is not possible, the change goes on without. */
export function lockFile(path: string): () => void {
  const file = `${path}.lock`;
  const release = orUndefined(() =>
    retrySync(() => holdNamed(file), { most: WAIT_MS / PAUSE_MS, pauseMs: PAUSE_MS, mayPass: isPassing }),
  );
  return () => {
    if (release === undefined) return;
    const remove = () => void orUndefined(() => rmSync(file, { force: true }));
    // Windows deletes no open file: neither ours before it is closed, nor that of the next owner.
    if (process.platform !== 'win32') remove();
    release();
    if (process.platform === 'win32') remove();
  };
}

/** The owner of a lock removes its file before it releases it. */
class Removed extends Error {}

/** A file that Windows is about to delete cannot be opened or made for a moment. */
const isPassing = (error: unknown) =>
  isHeld(error) ||
  error instanceof Removed ||
  (error instanceof SkillwrightError && isOpenElsewhere(error.cause));

function holdNamed(file: string): () => void {
  makeFile(file, dirname(file));
  const nodeOf = () => statusAt(file)?.ino;
  const before = nodeOf();
  const release = holdLock(file);
  if (before === nodeOf()) return release;
  release();
  throw new Removed();
}
