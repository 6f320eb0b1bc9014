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
/** A change takes milliseconds; on a busy machine, those of many processes take seconds. */
const HELD_MS = 20_000;
const OPENED_MS = 2000;

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
  return holdFile(file, root);
}

function holdFile(file: string, root: string): () => void {
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

/**
 * Waits for the lock of a small file and takes it. Where no lock can be made, the change goes on without. E016 when others
 * hold it for too long: without it, a change of theirs would be lost.
 */
export function lockFile(path: string): () => void {
  const file = `${path}.lock`;
  const release = takeLock(file, performance.now());
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

function takeLock(file: string, began: number): (() => void) | undefined {
  const isTaken = (error: unknown) => isHeld(error) || error instanceof Removed;
  let refusedSince: number | undefined;
  const mayPass = (error: unknown) => {
    const now = performance.now();
    if (isTaken(error)) {
      refusedSince = undefined;
      return now - began < HELD_MS;
    }
    // A file that Windows is about to delete cannot be opened or made for a moment.
    refusedSince ??= now;
    const isBrief = now - refusedSince < OPENED_MS;
    return isBrief && error instanceof SkillwrightError && isOpenElsewhere(error.cause);
  };
  try {
    return retrySync(() => holdNamed(file), {
      most: Number.POSITIVE_INFINITY,
      pauseMs: 1,
      maxPauseMs: 20,
      mayPass,
    });
  } catch (error) {
    if (!isTaken(error)) return undefined;
    throw SkillwrightError.of('E016', { path: file, why: 'other processes are changing it' });
  }
}

function holdNamed(file: string): () => void {
  makeFile(file, dirname(file));
  const nodeOf = () => statusAt(file)?.ino;
  const before = nodeOf();
  const release = holdFile(file, dirname(file));
  if (before === nodeOf()) return release;
  release();
  throw new Removed();
}
