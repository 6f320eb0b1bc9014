// Reading the index of one skill. Whatever is wrong with it is E002: it can be built again, and nothing wrong is told.

import type { StatementSync } from 'node:sqlite';
import { catchCoded, SkillwrightError } from '../../base/diagnostics/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import type { BuildRecord } from '../../skill/skill/index.ts';
import type { Tokenizer } from './analyze-text.ts';
import { isFresh } from './compare-with-index.ts';
import { discardIndex, type FileRow, isDatabaseError, openIndexFile, readFileRows } from './database.ts';
import { indexHash, indexPath } from './index-path.ts';
import { scannerFor } from './scan-runs.ts';
import {
  createSearcher,
  type SearchAnswer,
  type SectionSearch,
  type SectionSearcher,
} from './search-sections.ts';
import { type FileStat, type IndexedFile, isSameStat, readSkillFile, statSkillFile } from './source-files.ts';

/** Which index to open. */
export interface OpenOptions {
  /** What the user called the skill, for the message that tells how to rebuild. */
  readonly skill: string;
  /** The canonical path of the skill. */
  readonly sourceDir: string;
  readonly indexDir: string;
  /** When given, an index built with another one is of no use. */
  readonly tokenizer?: Tokenizer;
  /** When given, an index that it does not have is of no use. */
  readonly record?: BuildRecord | undefined;
}

/** A heading of the skill. `end_line` is the last line of its section, the sections below it included. */
export interface IndexedHeading {
  readonly file: string;
  readonly text: string;
  readonly folded: string;
  readonly level: number;
  readonly start_line: number;
  readonly end_line: number;
  readonly anchor: string;
}

/** Which headings are meant; all conditions must hold. */
export interface HeadingFilter {
  readonly file?: string;
  /** Compared without regard to case, composition and white space. */
  readonly text?: string;
  readonly anchor?: string;
  readonly maxLevel?: number;
}

/** An open index. Every method throws E002 when the file turns out to be damaged. */
export interface SkillIndex {
  readonly path: string;
  readonly sourceHash: string;
  readonly indexedAt: string;
  /** False only when the skill had no gate at the build. */
  readonly gated: boolean;
  /** Throws E002 when an indexed file was changed, added or deleted since the build. */
  checkFresh(): void;
  /** All files of the skill as they were at the build, in bytewise order. */
  files(): readonly IndexedFile[];
  /** The text of an indexed file; E002 when it is no longer what was indexed. */
  readText(file: string): string;
  /** In bytewise order of files, then by line. */
  headings(filter?: HeadingFilter): IndexedHeading[];
  /** The best sections for a query; E004 when it is blank. */
  search(query: string, options?: Partial<SectionSearch>): SearchAnswer;
  close(): void;
}

/** Opens the index of a skill: E002 when it is missing, damaged or of another version, E003 when it is another skill's. */
export function openIndex(options: OpenOptions): SkillIndex {
  const path = indexPath(options.indexDir, options.sourceDir);
  const unusable = (cause?: unknown) => SkillwrightError.of('E002', { skill: options.skill }, { cause });
  const opened = openIndexFile(path, options.record);
  if (opened === undefined) throw unusable();
  const { database, meta } = opened;
  if (meta.skillPath !== options.sourceDir) {
    database.close();
    throw SkillwrightError.of('E003', { hash16: indexHash(options.sourceDir) });
  }
  if (options.tokenizer !== undefined && meta.tokenizer !== options.tokenizer) {
    database.close();
    throw unusable();
  }

  const guard = <Result>(read: () => Result): Result => {
    try {
      return read();
    } catch (error) {
      if (!isDatabaseError(error)) throw error;
      discardIndex(opened);
      throw unusable(error);
    }
  };
  let rows: ReadonlyMap<string, FileRow> | undefined;
  const fileRows = () => {
    rows ??= new Map(readFileRows(database).map((row) => [row.path, row]));
    return rows;
  };
  const readText = createTextReader(options.sourceDir, fileRows, unusable);
  let searcher: SectionSearcher | undefined;
  // One statement for each set of conditions: what is prepared anew each time piles up until it is collected.
  const selectHeadings = new Map<string, StatementSync>();

  return {
    path,
    sourceHash: meta.sourceHash,
    indexedAt: meta.indexedAt,
    gated: meta.totals.gated,
    checkFresh() {
      guard(() => {
        if (!isUpToDate(options.sourceDir, fileRows())) throw unusable();
      });
    },
    readText: (file) => guard(() => readText(file)),
    files: () => guard(() => [...fileRows().values()]),
    headings: (filter = {}) =>
      guard(() => {
        const { where, values } = headingConditions(filter);
        const columns = 'file, text, folded, level, start_line, end_line, anchor';
        const sql = `SELECT ${columns} FROM headings ${where} ORDER BY file, start_line`;
        const statement = selectHeadings.get(sql) ?? database.prepare(sql);
        selectHeadings.set(sql, statement);
        return statement.all(...values).map((row) => ({ ...row }) as unknown as IndexedHeading);
      }),
    search: (query, { limit = 10, accept } = {}) =>
      guard(() => {
        searcher ??= createSearcher(opened, scannerFor(meta.tokenizer as Tokenizer), readText);
        return searcher(query, { limit, accept });
      }),
    close() {
      if (database.isOpen) database.close();
    },
  };
}

/** Texts of so many characters together are kept for the next search. */
const maxKept = 2 ** 20;

/** Reads indexed files; a text that was checked is kept while its file looks the same. */
function createTextReader(
  sourceDir: string,
  rows: () => ReadonlyMap<string, FileRow>,
  unusable: () => SkillwrightError,
): (file: string) => string {
  const kept = new Map<string, { stat: FileStat; text: string }>();
  let size = 0;
  return (file) => {
    const row = rows().get(file);
    const stat = statSkillFile(sourceDir, file);
    if (row === undefined || stat === undefined) throw unusable();
    const known = kept.get(file);
    kept.delete(file);
    if (known !== undefined && isSameStat(stat, known.stat)) {
      kept.set(file, known);
      return known.text;
    }
    size -= known?.text.length ?? 0;
    const read = readSkillFile(sourceDir, file);
    if (read?.text === undefined || read.file.sha256 !== row.sha256) throw unusable();
    kept.set(file, { stat: read.file, text: read.text });
    size += read.text.length;
    // What was not asked for the longest makes room.
    for (const [oldest, { text }] of kept) {
      if (size <= maxKept) break;
      kept.delete(oldest);
      size -= text.length;
    }
    return read.text;
  };
}

/** A skill that can no longer be read is not what was indexed. */
function isUpToDate(sourceDir: string, rows: ReadonlyMap<string, FileRow>): boolean {
  return catchCoded(
    () => isFresh(sourceDir, rows),
    () => false,
  );
}

function headingConditions(filter: HeadingFilter): { where: string; values: (string | number)[] } {
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(value);
  };
  add('folded = ?', filter.text === undefined ? undefined : foldText(filter.text));
  add('anchor = ?', filter.anchor);
  add('file = ?', filter.file);
  add('level <= ?', filter.maxLevel);
  return { where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, values };
}
