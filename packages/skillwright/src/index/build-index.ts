// Building the index of one skill. A build writes a file of its own and puts it in place in one step, so readers and
// other builders never see a part of it, whatever happens to this one.

import { closeSync, copyFileSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SkillwrightError } from '../diagnostics/skillwright-error.ts';
import { hashTree } from '../files/hash.ts';
import { isMissing, systemErrorCode, writeError } from '../files/system-error.ts';
import { temporaryBeside } from '../files/write-atomic.ts';
import { createAnalyzer, type Tokenizer } from './analyze-text.ts';
import { compareFiles, type FileChanges } from './compare-files.ts';
import { type FileRow, isDatabaseError, openDatabase, readFileRows } from './database.ts';
import { indexHash, indexPath } from './index-path.ts';
import { SCHEMA_VERSION, schema } from './schema.ts';
import { type IndexedFile, listSkillFiles, readSkillFile } from './skill-files.ts';
import { createSectionWriter, fileKey } from './write-sections.ts';

/** What to build and where. */
export interface BuildOptions {
  /** The canonical path of the skill. */
  readonly sourceDir: string;
  /** The `.skillc` directory inside the runtime directory. */
  readonly indexDir: string;
  readonly tokenizer: Tokenizer;
  readonly now: Date;
}

/** What a build did. */
export interface BuildResult {
  readonly status: 'created' | 'updated' | 'unchanged';
  /** How many files were read into the index. */
  readonly indexed: number;
  /** How many files were taken out because they are gone. */
  readonly removed: number;
  readonly path: string;
  /** SHA-256 over paths and contents of all files of the skill. */
  readonly sourceHash: string;
  /** All files of the skill, in bytewise order. */
  readonly files: readonly IndexedFile[];
}

/** Work in progress older than this was left by a build that died. */
const abandonedAfterMs = 10 * 60_000;

/**
 * Makes the index agree with the files of the skill, reading only those that changed. E003 when the file belongs to
 * another skill, E015 when the skill cannot be read, E016 when the index cannot be written.
 */
export function buildIndex(options: BuildOptions): BuildResult {
  const path = indexPath(options.indexDir, options.sourceDir);
  removeAbandoned(path, options.now);
  const old = readOldIndex(path, options);
  if (old !== undefined) {
    const { changed, removed, touched } = old.changes;
    if (changed.length + removed.length + touched.length === 0) {
      const files = [...old.rows.values()];
      return { status: 'unchanged', indexed: 0, removed: 0, path, sourceHash: old.sourceHash, files };
    }
    try {
      return updateIndex(path, options, old);
    } catch (error) {
      // Damage in a part of the old index that was not read before.
      if (!isDatabaseError(error)) throw error;
    }
  }
  return createIndex(path, options);
}

interface OldIndex {
  readonly rows: ReadonlyMap<string, FileRow>;
  readonly changes: FileChanges;
  readonly sourceHash: string;
}

/** What the index in place says; undefined when it is of no use. */
function readOldIndex(path: string, options: BuildOptions): OldIndex | undefined {
  const old = openDatabase(path);
  if (old === undefined) return undefined;
  try {
    const { skillPath, tokenizer, sourceHash } = old.meta;
    if (skillPath !== options.sourceDir)
      throw SkillwrightError.of('E003', { hash16: indexHash(options.sourceDir) });
    if (tokenizer !== options.tokenizer || !isSound(old.database)) return undefined;
    const rows = new Map(readFileRows(old.database).map((row) => [row.path, row]));
    return { rows, changes: compareFiles(options.sourceDir, rows), sourceHash };
  } catch (error) {
    if (isDatabaseError(error)) return undefined;
    throw error;
  } finally {
    old.database.close();
  }
}

/** A search that met a damaged page asks for a build, so a build must not call that index unchanged. */
function isSound(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA quick_check(1)').get()?.quick_check === 'ok';
}

function createIndex(path: string, options: BuildOptions): BuildResult {
  const taken = new Set<number>();
  const keyed = listSkillFiles(options.sourceDir).map((file) => {
    const key = fileKey(file, taken);
    taken.add(key);
    return { file, key };
  });
  let indexed = 0;
  const { sourceHash, files } = replaceIndex(path, options, {
    prepare: () => {},
    write: (database) => {
      database.exec(schema);
      const writer = createSectionWriter(database, createAnalyzer(options.tokenizer));
      // FTS5 writes out what it has gathered whenever a row comes before the last one.
      for (const { file, key } of keyed.sort((a, b) => a.key - b.key)) {
        const read = readSkillFile(options.sourceDir, file);
        if (read === undefined) continue;
        writer.insert(read, key);
        if (read.file.indexed) indexed++;
      }
    },
  });
  return { status: 'created', indexed, removed: 0, path, sourceHash, files };
}

function updateIndex(path: string, options: BuildOptions, { rows, changes }: OldIndex): BuildResult {
  const taken = new Set(Array.from(rows.values(), (row) => row.key));
  let indexed = 0;
  const { sourceHash, files } = replaceIndex(path, options, {
    prepare: (temporary) => copyFileSync(path, temporary),
    write: (database) => {
      const writer = createSectionWriter(database, createAnalyzer(options.tokenizer));
      for (const file of [...changes.removed, ...changes.changed]) {
        const row = rows.get(file);
        if (row !== undefined) writer.remove(file, row.key);
      }
      for (const file of [...changes.changed, ...changes.touched]) {
        const read = readSkillFile(options.sourceDir, file);
        const row = rows.get(file);
        if (row !== undefined && row.sha256 === read?.file.sha256 && changes.touched.includes(file)) {
          writer.touch(read.file);
          continue;
        }
        if (row !== undefined && changes.touched.includes(file)) writer.remove(file, row.key);
        if (read === undefined) continue;
        const key = row?.key ?? fileKey(file, taken);
        taken.add(key);
        writer.insert(read, key);
        if (read.file.indexed) indexed++;
      }
    },
  });
  const same = changes.changed.length + changes.removed.length === 0 && indexed === 0;
  const removed = changes.removed.length;
  return { status: same ? 'unchanged' : 'updated', indexed, removed, path, sourceHash, files };
}

interface Work {
  /** Puts something in place before the database is opened. */
  readonly prepare: (temporary: string) => void;
  readonly write: (database: DatabaseSync) => void;
}

/** Does the work on a temporary file in one transaction, adds `index_meta`, and puts the file in place. */
function replaceIndex(
  path: string,
  options: BuildOptions,
  work: Work,
): { sourceHash: string; files: IndexedFile[] } {
  const temporary = temporaryBeside(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    work.prepare(temporary);
    const database = new DatabaseSync(temporary);
    let files: IndexedFile[];
    let sourceHash: string;
    try {
      // Nobody else knows this file, and it is thrown away when anything fails.
      database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN');
      work.write(database);
      files = readFileRows(database);
      sourceHash = hashTree(files);
      writeMeta(database, options, sourceHash);
      database.exec('COMMIT');
    } finally {
      database.close();
    }
    putInPlace(temporary, path, options.now);
    return { sourceHash, files };
  } catch (error) {
    throw writeError(path, error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeMeta(database: DatabaseSync, options: BuildOptions, sourceHash: string): void {
  database.exec('DELETE FROM index_meta');
  database
    .prepare(
      `INSERT INTO index_meta SELECT ?, ?, ?, ?, ?, count(*), coalesce(sum(heading_terms), 0),
        coalesce(sum(content_terms), 0) FROM sections`,
    )
    .run(options.sourceDir, sourceHash, SCHEMA_VERSION, options.tokenizer, options.now.toISOString());
}

function putInPlace(temporary: string, path: string, now: Date): void {
  const descriptor = openSync(temporary, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  for (let attempt = 0; ; attempt++) {
    try {
      renameSync(temporary, path);
      return;
    } catch (error) {
      const code = systemErrorCode(error);
      if (attempt < 20 && (code === 'EISDIR' || code === 'ENOTEMPTY' || code === 'EEXIST')) moveAside(path, now);
      // Windows does not replace a file while somebody has it open; readers are quick.
      else if (attempt < 20 && (code === 'EPERM' || code === 'EACCES' || code === 'EBUSY'))
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      else throw error;
    }
  }
}

/** A directory where the index belongs: nothing here made it, so what is in it is kept. */
function moveAside(path: string, now: Date): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if (isMissing(error)) return;
    renameSync(path, `${path}.bak-${now.toISOString().replace(/[:.]/g, '-')}`);
  }
}

/** Removes what builds of this skill left that were killed. Other skills' files are not touched. */
function removeAbandoned(path: string, now: Date): void {
  let names: string[];
  try {
    names = readdirSync(dirname(path));
  } catch {
    return;
  }
  for (const name of names) {
    if (!name.startsWith(`.${basename(path)}.`) || !/\.tmp(?:-journal)?$/.test(name)) continue;
    const leftover = join(dirname(path), name);
    const modified = statSync(leftover, { throwIfNoEntry: false })?.mtimeMs;
    if (modified !== undefined && now.getTime() - modified > abandonedAfterMs) rmSync(leftover, { force: true });
  }
}
