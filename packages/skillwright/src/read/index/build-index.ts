// Builds the index of one skill: in full the first time, afterwards only the changes.

import { copyFileSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { removeLeftovers } from '../../base/files/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import { canSerialize, harden, newDatabase } from '../../base/sqlite/index.ts';
import { scannerFor, type Tokenizer } from '../../base/words/index.ts';
import type { BuildRecord } from '../../skill/skill/index.ts';
import { compareWithIndex, type FileChanges } from './compare-with-index.ts';
import {
  type FileRow,
  indexHash,
  indexPath,
  isDatabaseError,
  openIndexFile,
  readFileRows,
} from './database.ts';
import { replaceIndex, serializeIndex } from './replace-index.ts';
import { schema } from './schema.ts';
import { listSourceFiles, readSkillFile } from './source-files.ts';
import { createSectionWriter, fileKey, type SectionTotals } from './write-sections.ts';

/** Source and destination of a build. */
export interface BuildOptions {
  /** Canonical path of the skill. */
  readonly sourceDir: string;
  /** Paths of its files in bytewise order; listed when left out. */
  readonly files?: readonly string[] | undefined;
  /** The `.skillc` directory inside the runtime directory. */
  readonly indexDir: string;
  readonly tokenizer: Tokenizer;
  readonly now: Date;
  /** Indexes missing from it are rebuilt; the new index is added to it. */
  readonly record?: BuildRecord | undefined;
}

/** Result of a build. */
export interface BuildResult {
  readonly status: 'created' | 'updated' | 'unchanged';
  /** Number of files read into the index. */
  readonly indexed: number;
  /** Number of deleted files removed from the index. */
  readonly removed: number;
  readonly path: string;
  /** SHA-256 over paths and contents of all files of the skill. */
  readonly sourceHash: string;
  /** All files of the skill, in bytewise order. */
  readonly files: readonly FileRow[];
  /** Number of headings per folded text, when the build read all of them. */
  readonly countHeadings?: ((text: string) => number) | undefined;
}

/** FTS5 keeps traces of removed rows. The index is rebuilt in full when they outnumber the sections by this many. */
const tolerated = 1000;

/**
 * Updates the index to match the files of the skill, reading only the changed ones. E003 when the file belongs to
 * another skill, E015 when the skill cannot be read, E016 when the index cannot be written.
 */
export function buildIndex(options: BuildOptions): BuildResult {
  const path = indexPath(options.indexDir, options.sourceDir);
  removeLeftovers(options.indexDir, { names: [basename(path)], now: options.now });
  const old = readOldIndex(path, options);
  if (old !== undefined) {
    const { changed, removed, touched } = old.changes;
    if (changed.length + removed.length + touched.length === 0) {
      const files = [...old.rows.values()];
      return { status: 'unchanged', indexed: 0, removed: 0, path, sourceHash: old.sourceHash, files };
    }
    const { totals } = old;
    if (totals.removed > totals.sections + tolerated)
      return { ...createIndex(path, options), status: 'updated' };
    try {
      return updateIndex(path, options, old);
    } catch (error) {
      // Another build removed the old index, or it is damaged in a part that was not read before.
      if (!isDatabaseError(error) && !(error instanceof SkillwrightError && error.code === 'E016'))
        throw error;
    }
  }
  return createIndex(path, options);
}

interface OldIndex {
  readonly rows: ReadonlyMap<string, FileRow>;
  readonly changes: FileChanges;
  readonly sourceHash: string;
  readonly totals: SectionTotals;
}

/** Content of the existing index; undefined when unusable. */
function readOldIndex(path: string, options: BuildOptions): OldIndex | undefined {
  const old = openIndexFile(path, options.record);
  if (old === undefined) return undefined;
  try {
    const { skillPath, tokenizer, sourceHash, totals } = old.meta;
    if (skillPath !== options.sourceDir)
      throw SkillwrightError.of('E003', { hash16: indexHash(options.sourceDir) });
    if (tokenizer !== options.tokenizer) return undefined;
    const rows = new Map(readFileRows(old.database).map((row) => [row.path, row]));
    return { rows, changes: compareWithIndex(options.sourceDir, rows, options.files), sourceHash, totals };
  } catch (error) {
    if (isDatabaseError(error)) return undefined;
    throw error;
  } finally {
    old.database.close();
  }
}

/**
 * Bytes of a new index, for a reader elsewhere to adopt. Nothing is written where the runtime can build it in memory;
 * otherwise it is left in the index directory too.
 */
export function buildIndexBytes(options: BuildOptions): Uint8Array {
  if (!canSerialize) return readFileSync(buildIndex(options).path);
  const { write } = fillFrom(options);
  return serializeIndex(options, { empty: emptyIndex(), write }).bytes;
}

/** The index of this many files fits into memory twice: the text of a file above 1 MiB is not searched. */
const MAX_IN_MEMORY = 32;

function createIndex(path: string, options: BuildOptions): BuildResult {
  const { write, amount, result } = fillFrom(options);
  const empty = canSerialize && amount <= MAX_IN_MEMORY ? emptyIndex() : undefined;
  const { sourceHash, files } = replaceIndex(path, options, { empty, write });
  return { status: 'created', removed: 0, path, sourceHash, files, ...result() };
}

/** Fills an empty index with all files of a skill. */
function fillFrom({ sourceDir, files = listSourceFiles(sourceDir), tokenizer }: BuildOptions): {
  write(database: DatabaseSync): SectionTotals;
  readonly amount: number;
  result(): Pick<BuildResult, 'indexed' | 'countHeadings'>;
} {
  const taken = new Set<number>();
  const keyed = files.map((file) => {
    const key = fileKey(file, taken);
    taken.add(key);
    return { file, key };
  });
  let indexed = 0;
  let countHeadings: BuildResult['countHeadings'];
  return {
    amount: files.length,
    write(database) {
      makeTables(database);
      const writer = createSectionWriter(database, scannerFor(tokenizer));
      // FTS5 flushes whenever a row id is smaller than the previous one.
      for (const { file, key } of keyed.sort((a, b) => a.key - b.key)) {
        const read = readSkillFile(sourceDir, file);
        if (read === undefined) continue;
        writer.insert(read, key);
        if (read.file.indexed) indexed++;
      }
      countHeadings = (text) => writer.count(foldText(text));
      return writer.totals;
    },
    result: () => ({ indexed, countHeadings }),
  };
}

function updateIndex(path: string, options: BuildOptions, { rows, changes, totals }: OldIndex): BuildResult {
  const taken = new Set(Array.from(rows.values(), (row) => row.key));
  let indexed = 0;
  let removed = 0;
  const { sourceHash, files } = replaceIndex(path, options, {
    prepare: (temporary) => copyFileSync(path, temporary),
    write: (database) => {
      const writer = createSectionWriter(database, scannerFor(options.tokenizer), totals);
      for (const file of [...changes.removed, ...changes.changed, ...changes.touched]) {
        const row = rows.get(file);
        const read = readSkillFile(options.sourceDir, file);
        if (row !== undefined && row.sha256 === read?.file.sha256) {
          writer.touch(read.file);
          continue;
        }
        if (row !== undefined) writer.remove(row);
        if (read === undefined) {
          if (row !== undefined) removed++;
          continue;
        }
        const key = row?.key ?? fileKey(file, taken);
        taken.add(key);
        writer.insert(read, key);
        if (read.file.indexed) indexed++;
      }
      return writer.totals;
    },
  });
  const same = changes.changed.length + removed + indexed === 0;
  return { status: same ? 'unchanged' : 'updated', indexed, removed, path, sourceHash, files };
}

// An index without content. For a small skill, creating the tables takes longer than filling them, so a process that
// builds several indexes creates them once.

let serialized: Uint8Array | undefined;

/** The bytes of an empty index, where the runtime can make them in memory. */
function emptyIndex(): Uint8Array {
  if (serialized !== undefined) return serialized;
  const database = newDatabase();
  try {
    harden(database);
    database.exec(schema);
    serialized = database.serialize();
    return serialized;
  } finally {
    database.close();
  }
}

/** Creates the tables of an empty index. */
function makeTables(database: DatabaseSync): void {
  if (database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.tables === 0)
    database.exec(schema);
}
