// Putting a new index in place. A build writes a file of its own and renames it, so readers and other builders never
// see a part of it, whatever happens to this one.

import { mkdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  anyName,
  hashTree,
  isMissing,
  namesIn,
  sleepSync,
  systemErrorCode,
  temporaryBeside,
  writeError,
} from '../../base/files/index.ts';
import { harden } from '../../base/sqlite/index.ts';
import type { BuildRecord } from '../../skill/skill/index.ts';
import type { Tokenizer } from './analyze-text.ts';
import { type FileRow, indexIdentity, isDatabaseError, readFileRows } from './database.ts';
import { SCHEMA_VERSION } from './schema.ts';
import type { SectionTotals } from './write-sections.ts';

/** Work in progress older than this was left by a build that died. */
const abandonedAfterMs = 10 * 60_000;
const maxAttempts = 50;

/** What is done to the temporary file. */
export interface IndexWork {
  /** Puts something there before it is opened as a database. */
  readonly prepare?: (temporary: string) => void;
  /** Runs inside the one transaction and says what is then in the index. */
  readonly write: (database: DatabaseSync) => SectionTotals;
}

/** What `index_meta` says of a build. */
export interface IndexOrigin {
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
    mkdirSync(dirname(path), { recursive: true });
    work.prepare?.(temporary);
    const written = writeDatabase(temporary, origin, work);
    // Before it is in place, so that nobody meets an index that the record does not have.
    origin.record?.addFile(path, indexIdentity(statSync(temporary, { bigint: true })));
    putInPlace(temporary, path, origin.now);
    return written;
  } catch (error) {
    if (!isDatabaseError(error)) throw writeError(path, error);
    const why = messageOf(error);
    throw SkillwrightError.of('E016', { path, why }, { cause: error });
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeDatabase(temporary: string, origin: IndexOrigin, work: IndexWork) {
  const database = new DatabaseSync(temporary, { defensive: true });
  try {
    harden(database);
    // Nobody else knows this file, and it is thrown away when anything fails. Going without a journal is refused where
    // SQLite is in its defensive mode.
    database.exec(
      'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN',
    );
    const totals = work.write(database);
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
  } finally {
    database.close();
  }
}

/** FTS5 leaves free pages behind when it joins pieces. They would be copied with every update. */
function pragma(database: DatabaseSync, name: 'freelist_count' | 'page_count'): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}

/** Without waiting for the disk: an index that a power failure damages is built again. */
function putInPlace(temporary: string, path: string, now: Date): void {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(temporary, path);
      return;
    } catch (error) {
      if (attempt === maxAttempts) throw error;
      const code = systemErrorCode(error);
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) moveAside(path, now);
      // Windows does not replace a file while somebody has it open; readers are quick.
      else if (code === 'EPERM' || code === 'EACCES' || code === 'EBUSY') sleepSync(10);
      else throw error;
    }
  }
}

/** A directory where the index belongs: no build made it, so what is in it is kept. */
function moveAside(path: string, now: Date): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if (isMissing(error)) return;
    renameSync(path, `${path}.bak-${now.toISOString().replace(/[:.]/g, '-')}`);
  }
}

/** Removes what killed builds of this index left behind. Files of other indexes are not touched. */
export function removeAbandoned(path: string, now: Date): void {
  for (const name of namesIn(dirname(path), anyName)) {
    if (!name.startsWith(`.${basename(path)}.`) || !name.endsWith('.tmp')) continue;
    const leftover = join(dirname(path), name);
    const modified = statSync(leftover, { throwIfNoEntry: false })?.mtimeMs;
    if (modified !== undefined && now.getTime() - modified > abandonedAfterMs)
      rmSync(leftover, { force: true });
  }
}
