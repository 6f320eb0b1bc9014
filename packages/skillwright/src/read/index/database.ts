// Opens an index file for reading, and reads its metadata. There is one file per source path.

import { type BigIntStats, closeSync, copyFileSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import {
  exactStatusAt,
  exactTargetAt,
  makePrivateDirectory,
  type PrivateDirectory,
  refuseLinks,
  removePath,
  sha256,
} from '../../base/files/index.ts';
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
  /** True when it has more headings than listed. */
  readonly cutHeadings: boolean;
}

/** An open index of the current version. */
export interface OpenIndexFile {
  readonly path: string;
  /** Identity and time of the opened file, to detect a replacement. */
  readonly inode: bigint;
  readonly mtimeNs: bigint;
  readonly database: DatabaseSync;
  readonly meta: IndexMeta;
  /** Closes the database, and removes its copy if it is one. May be called again. */
  close(): void;
}

/**
 * Opens an index read-only; undefined when it is missing, damaged, of another version, or not in the record. Without a
 * record, accepts every index. E017 when a link is on the path.
 */
export function openIndexFile(
  path: string,
  record: BuildRecord | undefined,
  { copies = false }: { readonly copies?: boolean } = {},
): OpenIndexFile | undefined {
  const status = exactStatusAt(path);
  if (status?.isFile() !== true || !isWhole(path)) return undefined;
  if (record?.hasFile(path, indexIdentity(status)) === false) return undefined;
  const { ino: inode, mtimeNs } = status;
  let database: DatabaseSync | undefined;
  let copy: PrivateDirectory | undefined;
  const close = () => {
    if (database?.isOpen) database.close();
    copy?.remove();
  };
  try {
    const root = ownRootOf(path);
    if (copies) {
      refuseLinks(root, path);
      copy = makePrivateDirectory();
      copyFileSync(path, join(copy.path, 'index.db'));
    }
    const place =
      copy === undefined ? { file: path, root } : { file: join(copy.path, 'index.db'), root: copy.path };
    database = openDatabase(place.file, { of: indexShape, root: place.root, readOnly: true });
    const meta = readMeta(database);
    if (meta !== undefined) return { path, inode, mtimeNs, database, meta, close };
    close();
  } catch (error) {
    close();
    if (!isDatabaseError(error) && !isForeign(error)) throw error;
  }
  return undefined;
}

/** The files in an index, by path; undefined when unusable, or of another skill. E017. */
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

/** The change time of the file a build wrote: it cannot be forged, and a copy has another. */
export function indexIdentity({ size, mtimeNs }: Pick<BigIntStats, 'size' | 'mtimeNs'>): string {
  return `${size}-${mtimeNs}`;
}

/** Whether the file at a path is an index that a build on this machine wrote, unchanged since. */
export function isOwnIndex(path: string, record: BuildRecord): boolean {
  const status = exactStatusAt(path);
  return status?.isFile() === true && record.hasFile(path, indexIdentity(status));
}

/** True for every SQLite error: for a read-only file, each means that it is unreadable. */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR';
}

/**
 * Removes an index found to be damaged, so that the next build does not treat it as unchanged. Keeps one that was
 * replaced in the meantime.
 */
export function discardIndex({ path, inode, close }: OpenIndexFile): void {
  try {
    close();
    if (inodeOf(path) === inode) removePath(path);
  } catch {
    // When it cannot be removed, it cannot be rebuilt either.
  }
}

function inodeOf(path: string): bigint | undefined {
  return exactTargetAt(path)?.ino;
}

/** SQLite notices a shortened file only when it needs a missing page, so the header is checked first. */
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

/** The files of the index, in bytewise order. */
export function readFileRows(database: DatabaseSync): FileRow[] {
  const statement = database.prepare(
    'SELECT path, size, mtime, ctime, sha256, key, indexed, tokens FROM files ORDER BY path',
  );
  statement.setReadBigInts(true);
  // For hundreds of files, rows as objects take twice as long.
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

/** First 16 hex digits of the SHA-256 of a canonical source path. */
export function indexHash(canonicalSourcePath: string): string {
  return sha256(canonicalSourcePath).slice(0, 16);
}

/** `search-<hash16>.db`. */
export function indexFileName(canonicalSourcePath: string): string {
  return `search-${indexHash(canonicalSourcePath)}.db`;
}

/** Path of the index of `sourceDir` in the directory of a skill's indexes. */
export function indexPath(indexDir: string, sourceDir: string): string {
  return join(indexDir, indexFileName(sourceDir));
}
