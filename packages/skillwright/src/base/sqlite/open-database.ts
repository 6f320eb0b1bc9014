// The only way to open a database. Anyone may have written the file, so nothing in it is followed, run or trusted until
// its tables prove to be exactly ours.

import type { DatabaseSync as Database } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { SkillwrightError } from '../diagnostics/index.ts';
import { formatBytes, refuseLinks, sha256, statusesAt } from '../files/index.ts';

/** SQLite of the runtime. Node 22 warns that it is experimental: nothing that a person who runs skc could act on. */
function loadQuietly(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

const { DatabaseSync } = loadQuietly();

/** The expected form of one of our databases. */
export interface DatabaseShape {
  /** The statements that make its tables. */
  readonly schema: string;
  /** What `shapeOf` gives for a database with these tables. */
  readonly shape: string;
  /** Larger files are not opened. */
  readonly maxBytes: number;
}

/** How a database is opened. */
export interface OpenOptions {
  readonly of: DatabaseShape;
  /** Below this directory no link is followed. */
  readonly root: string;
  readonly readOnly: boolean;
  /** How long to wait for other processes. */
  readonly timeout?: number | undefined;
  /** For files of which nobody can write, not even what their readers share. */
  readonly immutable?: boolean | undefined;
}

/**
 * Opens a database that exists. E017 when a link is on the way; E015 for any other file; what
 * SQLite throws when it cannot be read.
 */
export function openDatabase(path: string, options: OpenOptions): Database {
  const { of, root, readOnly, timeout = 0, immutable = false } = options;
  refuseLinks(root, path);
  checkFile(path, of);
  const place = immutable ? `${pathToFileURL(path).href}?immutable=1` : path;
  const database = new DatabaseSync(place, { readOnly, timeout, defensive: true, allowExtension: false });
  try {
    harden(database);
    if (!isShaped(database, of)) throw foreign(path, 'its tables are not those that skc makes');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A new database, in memory or in a file that this process has just made. */
export function newDatabase(path = ':memory:'): Database {
  return new DatabaseSync(path, { defensive: true });
}

/** Whether this runtime can turn a database into bytes and back. */
export const canSerialize = 'serialize' in DatabaseSync.prototype && 'deserialize' in DatabaseSync.prototype;

/** Nothing in a schema may call a function, and damaged pages are noticed. */
export function harden(database: Database): void {
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
}

/** True when it is E015 for a file that skc did not make. */
export function isForeign(error: unknown): error is SkillwrightError {
  return error instanceof SkillwrightError && error.code === 'E015' && error.data?.foreign === true;
}

/**
 * SQLite does what a journal beside a database says, which includes deleting the file that it names. Ours never have one:
 * they are made elsewhere and put in place, and are written in WAL mode or not at all.
 */
function checkFile(path: string, { maxBytes }: DatabaseShape): void {
  const [status, journal, ...shared] = statusesAt([path, `${path}-journal`, `${path}-wal`, `${path}-shm`]);
  if (status === undefined) return;
  if (!status.isFile()) throw SkillwrightError.of('E015', { path, why: 'not a regular file' });
  if (status.size > maxBytes) throw foreign(path, `it is larger than ${formatBytes(maxBytes)}`);
  if (journal !== undefined) throw foreign(path, 'there is a journal next to it');
  for (const [at, end] of ['-wal', '-shm'].entries())
    if (shared[at]?.isFile() === false) throw foreign(path, `its ${end} is not a file`);
}

function foreign(path: string, why: string): SkillwrightError {
  const help = 'skc did not make it, and does not use it';
  return SkillwrightError.of('E015', { path, why }, { help, data: { foreign: true } });
}

/** SQLite of another version may spell the tables of its own modules otherwise: then they are compared with new ones. */
function isShaped(database: Database, { schema, shape }: DatabaseShape): boolean {
  const found = shapeOf(database);
  return found === shape || found === freshShape(schema);
}

const freshShapes = new Map<string, string>();

/** The shape of a database with these tables, made by this SQLite. */
export function freshShape(schema: string): string {
  const known = freshShapes.get(schema);
  if (known !== undefined) return known;
  const made = makeShape(schema);
  freshShapes.set(schema, made);
  return made;
}

function makeShape(schema: string): string {
  const database = newDatabase();
  try {
    database.exec(schema);
    return shapeOf(database);
  } finally {
    database.close();
  }
}

/** More entries than any database of skc has. */
const MAX_ENTRIES = 64;

/** Stands for everything in a schema: tables, indexes, triggers, views, and how each was written. */
function shapeOf(database: Database): string {
  const statement = database.prepare(
    `SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name LIMIT ${MAX_ENTRIES}`,
  );
  return sha256(JSON.stringify(statement.all().map((row) => Object.values(row)))).slice(0, 16);
}

/** True when the pages of a database hang together as they should. The work is bounded by the size of the file. */
export function isSound(database: Database): boolean {
  return database.prepare('PRAGMA quick_check(1)').get()?.quick_check === 'ok';
}
