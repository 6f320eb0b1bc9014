// An index file opened for reading, and what it says about itself.

import { type BigIntStats, closeSync, lstatSync, openSync, readSync, statSync, unlinkSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isForeign, openDatabase } from '../../base/sqlite/index.ts';
import type { BuildRecord } from '../../skill/skill/index.ts';
import { ownRootOf } from '../../skill/workspace/index.ts';
import { indexShape, SCHEMA_VERSION } from './schema.ts';
import type { IndexedFile } from './source-files.ts';
import type { SectionTotals } from './write-sections.ts';

/** The row of `index_meta`. */
interface IndexMeta {
  readonly skillPath: string;
  readonly sourceHash: string;
  readonly tokenizer: string;
  readonly indexedAt: string;
  readonly totals: SectionTotals;
}

/** A row of `files`. */
export interface FileRow extends IndexedFile {
  readonly key: number;
  /** True when it has more headings than are listed. */
  readonly cutHeadings: boolean;
}

/** An open index of this version of the tables. */
export interface OpenIndexFile {
  readonly path: string;
  /** Which file was opened: another may take its place. */
  readonly inode: bigint;
  readonly database: DatabaseSync;
  readonly meta: IndexMeta;
}

/**
 * Opens an index without ever writing to it; undefined when it is missing, damaged, of another version, or not one that
 * the record has. Without a record every index counts. E017 when a link is on the way to it.
 */
export function openIndexFile(path: string, record: BuildRecord | undefined): OpenIndexFile | undefined {
  const status = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (status?.isFile() !== true || !isWhole(path)) return undefined;
  if (record?.hasFile(path, indexIdentity(status)) === false) return undefined;
  const inode = status.ino;
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(path, { of: indexShape, root: ownRootOf(path), readOnly: true });
    const meta = readMeta(database);
    if (meta !== undefined) return { path, inode, database, meta };
    database.close();
  } catch (error) {
    if (database?.isOpen) database.close();
    if (!isDatabaseError(error) && !isForeign(error)) throw error;
  }
  return undefined;
}

/** The files that an index knows, by path; undefined when it cannot be used, or belongs to another skill. E017. */
export function readIndexedFiles(
  path: string,
  { sourceDir, record }: { readonly sourceDir: string; readonly record: BuildRecord | undefined },
): ReadonlyMap<string, FileRow> | undefined {
  const opened = openIndexFile(path, record);
  if (opened === undefined) return undefined;
  try {
    if (opened.meta.skillPath !== sourceDir) return undefined;
    return new Map(readFileRows(opened.database).map((row) => [row.path, row]));
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    return undefined;
  } finally {
    opened.database.close();
  }
}

/** Nobody else can make a file with the time at which a build wrote its index, and a copy has another. */
export function indexIdentity({ size, mtimeNs }: Pick<BigIntStats, 'size' | 'mtimeNs'>): string {
  return `${size}-${mtimeNs}`;
}

/** Whether the file at a path is an index that a build of this machine put there, and nobody touched since. */
export function isOwnIndex(path: string, record: BuildRecord): boolean {
  const status = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return status?.isFile() === true && record.hasFile(path, indexIdentity(status));
}

/** True for whatever SQLite throws: for a file that is only read, each means that it cannot be. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR';
}

/**
 * Removes an index that turned out to be damaged while it was read, so that the next build does not take it for
 * unchanged. One that has been replaced in the meantime stays.
 */
export function discardIndex({ path, inode, database }: OpenIndexFile): void {
  try {
    if (database.isOpen) database.close();
    if (inodeOf(path) === inode) unlinkSync(path);
  } catch {
    // Where nothing can be removed, nothing can be built either.
  }
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** SQLite notices a shortened file only when it needs a page that is not there, so the header is compared first. */
function isWhole(path: string): boolean {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const header = Buffer.alloc(100);
      if (readSync(descriptor, header, 0, 100, 0) < 100) return false;
      const written = header.readUInt16BE(16);
      const pageSize = written === 1 ? 65_536 : written;
      return (
        header.toString('latin1', 0, 16) === 'SQLite format 3\0' &&
        pageSize * header.readUInt32BE(28) === statSync(path).size
      );
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
}

function readMeta(database: DatabaseSync): IndexMeta | undefined {
  const rows = database.prepare('SELECT * FROM index_meta').all();
  const row = rows[0];
  if (row === undefined || rows.length > 1 || row.schema_version !== SCHEMA_VERSION) return undefined;
  return {
    skillPath: String(row.skill_path),
    sourceHash: String(row.source_hash),
    tokenizer: String(row.tokenizer),
    indexedAt: String(row.indexed_at),
    totals: {
      sections: Number(row.section_count),
      headingTerms: Number(row.heading_terms),
      contentTerms: Number(row.content_terms),
      removed: Number(row.removed_sections),
      gated: row.gated !== 0,
    },
  };
}

/** The files the index knows, in bytewise order. */
export function readFileRows(database: DatabaseSync): FileRow[] {
  const statement = database.prepare(
    'SELECT path, size, mtime, ctime, sha256, key, indexed, tokens FROM files ORDER BY path',
  );
  statement.setReadBigInts(true);
  // Of hundreds of files, rows as objects take twice the time.
  statement.setReturnArrays(true);
  const rows = statement.all() as unknown as RawFile[];
  return rows.map(([path, size, mtimeNs, ctimeNs, sha256, key, indexed, tokens]) => ({
    path,
    size: Number(size),
    mtimeNs,
    ctimeNs,
    sha256,
    key: Number(key),
    indexed: (indexed & 1n) !== 0n,
    leftOut: (indexed & 2n) !== 0n,
    cutHeadings: (indexed & 4n) !== 0n,
    tokens: Number(tokens),
  }));
}

type RawFile = [
  path: string,
  size: bigint,
  mtime: bigint,
  ctime: bigint,
  sha256: string,
  key: bigint,
  indexed: bigint,
  tokens: bigint,
];
