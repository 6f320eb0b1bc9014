// Puts a new index in place. A build writes a separate file and renames it, so that readers and other builds never
// see a partial index, even when it fails.

import { rmdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  hashTree,
  isMissing,
  removePath,
  renamePath,
  targetAt,
  temporaryBeside,
  writeError,
} from '../../base/files/index.ts';
import { harden, newDatabase } from '../../base/sqlite/index.ts';
import type { Tokenizer } from '../../base/words/index.ts';
import type { BuildRecord } from '../../skill/skill/index.ts';
import { makeRuntimeDirectory } from '../../skill/workspace/index.ts';
import { type FileRow, indexIdentity, isDatabaseError, readFileRows } from './database.ts';
import { SCHEMA_VERSION } from './schema.ts';
import type { SectionTotals } from './write-sections.ts';

/** Work on the temporary file. */
interface IndexWork {
  /** Writes the file before it is opened as a database. */
  readonly prepare?: (temporary: string) => void;
  /** Bytes of a database to fill in memory instead: the file is then written at once. */
  readonly empty?: Uint8Array | undefined;
  /** Runs inside the single transaction and returns the totals of the index. */
  readonly write: (database: DatabaseSync) => SectionTotals;
}

/** Build data in `index_meta`. */
interface IndexOrigin {
  readonly sourceDir: string;
  readonly tokenizer: Tokenizer;
  readonly now: Date;
  readonly record?: BuildRecord | undefined;
}

/** Does the work on a temporary file, adds `index_meta`, and puts the file in place. E016 when it cannot be written. */
export function replaceIndex(
  path: string,
  origin: IndexOrigin,
  work: IndexWork,
): { sourceHash: string; files: FileRow[] } {
  const temporary = temporaryBeside(path);
  try {
    makeRuntimeDirectory(dirname(path), origin.record?.home);
    work.prepare?.(temporary);
    const written = writeDatabase(temporary, origin, work);
    // Recorded before the rename, so that no reader finds an index missing from the record.
    origin.record?.addFile(path, indexIdentity(statSync(temporary, { bigint: true })));
    putIndex(temporary, path, origin.now);
    return written;
  } catch (error) {
    if (!isDatabaseError(error)) throw writeError(path, error);
    const why = messageOf(error);
    throw SkillwrightError.of('E016', { path, why }, { cause: error });
  } finally {
    removePath(temporary, { force: true });
  }
}

/** Does the work in memory on a database that starts as these bytes, and returns those of the file it would have made. */
export function serializeIndex(
  origin: IndexOrigin,
  { empty, write }: { readonly empty: Uint8Array; readonly write: IndexWork['write'] },
) {
  const database = newDatabase();
  try {
    database.deserialize(empty);
    harden(database);
    const filled = fillDatabase(database, origin, write);
    return { ...filled, bytes: database.serialize() };
  } finally {
    database.close();
  }
}

function writeDatabase(temporary: string, origin: IndexOrigin, { empty, write }: IndexWork) {
  if (empty !== undefined) {
    const { bytes, ...filled } = serializeIndex(origin, { empty, write });
    writeFileSync(temporary, bytes, { flag: 'wx' });
    return filled;
  }
  const database = newDatabase(temporary);
  try {
    harden(database);
    return fillDatabase(database, origin, write);
  } finally {
    database.close();
  }
}

function fillDatabase(database: DatabaseSync, origin: IndexOrigin, write: IndexWork['write']) {
  // No other process uses this database, and it is deleted on failure. SQLite's defensive mode rejects running without a
  // journal.
  database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN');
  const totals = write(database);
  const files = readFileRows(database);
  const sourceHash = hashTree(files);
  database.exec('DELETE FROM index_meta');
  const { sourceDir, tokenizer, now } = origin;
  const { sections, headingTerms, contentTerms, removed, gated } = totals;
  database
    .prepare('INSERT INTO index_meta VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(
      ...[sourceDir, sourceHash, SCHEMA_VERSION, tokenizer, now.toISOString()],
      ...[sections, headingTerms, contentTerms, removed, gated ? 1 : 0],
    );
  database.exec('COMMIT');
  if (pragma(database, 'freelist_count') * 4 > pragma(database, 'page_count')) database.exec('VACUUM');
  return { sourceHash, files };
}

/** FTS5 leaves free pages when it merges segments. Every update would copy them. */
function pragma(database: DatabaseSync, name: 'freelist_count' | 'page_count'): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}

/** Does not wait for the disk: an index damaged by a power failure is rebuilt. */
function putIndex(temporary: string, path: string, now: Date): void {
  try {
    renamePath(temporary, path);
  } catch (error) {
    if (targetAt(path)?.isDirectory() !== true) throw error;
    moveAside(path, now);
    renamePath(temporary, path);
  }
}

/** A directory in the place of the index: skc did not create it, so its content is kept. */
function moveAside(path: string, now: Date): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if (isMissing(error)) return;
    renamePath(path, `${path}.bak-${now.toISOString().replace(/[:.]/g, '-')}`);
  }
}
