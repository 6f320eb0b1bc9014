// Reads the index of one skill. Every fault is E002: the index can be rebuilt, and wrong results are never returned.

import { existsSync } from 'node:fs';
import type { StatementSync } from 'node:sqlite';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import type { Tokenizer } from '../../base/words/index.ts';
import type { BuildRecord } from '../../skill/skill/index.ts';
import { findStale, type StaleFiles } from './compare-with-index.ts';
import {
  discardIndex,
  type FileRow,
  indexHash,
  indexPath,
  isDatabaseError,
  openIndexFile,
  readFileRows,
} from './database.ts';
import { ROWS_PER_FILE } from './schema.ts';
import { createSearcher, type SectionSearch, type SectionSearcher } from './search-sections.ts';
import type { SearchAnswer } from './section.ts';
import { type FileStat, isSameStat, readIndexedText, statSkillFile, trustedStat } from './source-files.ts';

/** The index to open. */
export interface OpenOptions {
  /** The user's name for the skill, for the message on how to rebuild. */
  readonly skill: string;
  /** Canonical path of the skill. */
  readonly sourceDir: string;
  readonly indexDir: string;
  /** When given, an index built with another one is unusable. */
  readonly tokenizer?: Tokenizer;
  /** When given, an index missing from it is unusable. */
  readonly record?: BuildRecord | undefined;
  /** Reads from a copy, and does not keep the file itself open. */
  readonly copies?: boolean;
}

/** A heading of the skill. `end_line` is the last line of its section, subsections included. */
export interface IndexedHeading {
  readonly file: string;
  readonly text: string;
  readonly folded: string;
  readonly level: number;
  readonly start_line: number;
  readonly end_line: number;
  readonly anchor: string;
  /** First line of the text before it that belongs to its section, if there is any. */
  readonly from_line?: number;
}

/** Selects headings; all conditions must hold. */
export interface HeadingFilter {
  readonly file?: string;
  /** Rendered or source text, compared without case, composition and white space. */
  readonly text?: string;
  readonly anchor?: string;
  readonly maxLevel?: number;
  /** Most headings to return. */
  readonly limit?: number | undefined;
}

/** An open index. Every method throws E002 when the file turns out to be damaged. */
export interface SkillIndex {
  readonly path: string;
  /** Identity and time of its file, to detect a replacement. */
  readonly inode: bigint;
  readonly mtimeNs: bigint;
  readonly sourceHash: string;
  readonly indexedAt: string;
  /** False only when the skill had no gate at the build. */
  readonly gated: boolean;
  /** Throws E002 when an indexed file was changed, added or deleted since the build. */
  checkFresh(): void;
  /** All files of the skill at the time of the build, in bytewise order. */
  files(): readonly FileRow[];
  /** Text of an indexed file; E002 when it has changed. */
  readText(file: string): string;
  /** In bytewise order of files, then by line. */
  headings(filter?: HeadingFilter): IndexedHeading[];
  /** Same down to a level, the first `limit` of them, without the fields for comparison. */
  outline(maxLevel: number, limit?: number): { headings: Omit<IndexedHeading, 'folded'>[]; total: number };
  /** The best sections for a query; E004 when it is blank. */
  search(query: string, options?: Partial<SectionSearch>): SearchAnswer;
  close(): void;
}

/** Opens the index of a skill: E002 when it is missing, damaged or of another version, E003 when it is another skill's. */
export function openIndex(
  options: OpenOptions,
  path = indexPath(options.indexDir, options.sourceDir),
): SkillIndex {
  const unusable = (why: string, { stale, cause }: { stale?: StaleFiles; cause?: unknown } = {}) =>
    SkillwrightError.of('E002', { skill: options.skill }, { data: { why, ...stale }, cause });
  const opened = openIndexFile(path, options.record, options);
  if (opened === undefined)
    throw unusable(existsSync(path) ? 'the index is damaged or of another version' : 'there is no index yet');
  const { database, meta } = opened;
  if (meta.skillPath !== options.sourceDir) {
    opened.close();
    throw SkillwrightError.of('E003', { hash16: indexHash(options.sourceDir) });
  }
  if (options.tokenizer !== undefined && meta.tokenizer !== options.tokenizer) {
    opened.close();
    throw unusable(`the index was built with the tokenizer '${meta.tokenizer}'`);
  }

  const guard = <Result>(read: () => Result): Result => {
    try {
      return read();
    } catch (error) {
      if (!isDatabaseError(error)) throw error;
      discardIndex(opened);
      throw unusable('the index is damaged', { cause: error });
    }
  };
  let rows: ReadonlyMap<string, FileRow> | undefined;
  const fileRows = () => {
    rows ??= new Map(readFileRows(database).map((row) => [row.path, row]));
    return rows;
  };
  const readText = createTextReader(options.sourceDir, fileRows, (file) =>
    unusable('the index is out of date', {
      stale: { changed: [file], added: [], removed: [] },
    }),
  );
  let searcher: SectionSearcher | undefined;
  // The same few headings are named in one answer after another.
  const named = new Map<string, IndexedHeading[]>();
  // One statement per set of conditions: fresh statements would pile up until garbage collection.
  const selectHeadings = new Map<string, StatementSync>();

  const readHeadings = ({ limit = -1, ...filter }: HeadingFilter, from = 'headings'): IndexedHeading[] =>
    guard(() => {
      const { where, values } = headingConditions(filter);
      const columns = 'file, text, level, start_line, end_line, anchor, from_line, folded';
      const order = from === 'headings' ? 'file, id' : 'path, id';
      const sql = `SELECT ${columns} FROM ${from} ${where} ORDER BY ${order} LIMIT ?`;
      let statement = selectHeadings.get(sql);
      if (statement === undefined) {
        statement = database.prepare(sql);
        // For thousands of headings, rows as objects take longer.
        statement.setReturnArrays(true);
        selectHeadings.set(sql, statement);
      }
      const rows = statement.all(...values, limit) as unknown as HeadingRow[];
      // In the order of the fields of an outline.
      return rows.map(([file, text, level, start_line, end_line, anchor, from_line, folded]) => ({
        folded,
        level,
        text,
        file,
        anchor,
        start_line,
        end_line,
        ...(from_line === null ? {} : { from_line }),
      }));
    });

  return {
    path,
    inode: opened.inode,
    mtimeNs: opened.mtimeNs,
    sourceHash: meta.sourceHash,
    indexedAt: meta.indexedAt,
    gated: meta.totals.gated,
    checkFresh() {
      guard(() => {
        let stale: StaleFiles;
        try {
          stale = findStale(options.sourceDir, fileRows());
        } catch (error) {
          // A skill that can no longer be read has changed.
          throw error instanceof SkillwrightError ? unusable(error.message) : error;
        }
        if (stale.changed.length + stale.added.length + stale.removed.length > 0)
          throw unusable('the index is out of date', { stale });
      });
    },
    readText: (file) => guard(() => readText(file)),
    files: () => guard(() => [...fileRows().values()]),
    headings(filter = {}) {
      if (filter.limit === undefined) return readHeadings(filter);
      const key = JSON.stringify(filter);
      const found = named.get(key) ?? readHeadings(filter);
      if (named.size >= MAX_NAMED) named.clear();
      named.set(key, found);
      return found;
    },
    outline(maxLevel, limit) {
      const headings = readHeadings({ maxLevel, limit }, headingsByFile).map(
        ({ folded: _, ...heading }) => heading,
      );
      if (limit === undefined || headings.length < limit) return { headings, total: headings.length };
      const counted = guard(() =>
        database.prepare('SELECT count(*) AS total FROM headings WHERE level <= ?').get(maxLevel),
      );
      return { headings, total: Number(counted?.total) };
    },
    search: (query, { limit = 10, ...options } = {}) =>
      guard(() => {
        searcher ??= createSearcher(opened, readText);
        return searcher(query, { limit, ...options });
      }),
    close: opened.close,
  };
}

/** File by file, in the order of `files`: no sorting, and unwanted rows are never read. */
const headingsByFile = `files CROSS JOIN headings
  ON id BETWEEN key * ${ROWS_PER_FILE} AND key * ${ROWS_PER_FILE} + ${ROWS_PER_FILE - 1}`;

type HeadingRow = [
  file: string,
  text: string,
  level: number,
  startLine: number,
  endLine: number,
  anchor: string,
  fromLine: number | null,
  folded: string,
];

/** Most lookups of named headings kept. */
const MAX_NAMED = 1000;

/** Total characters of text kept for the next search. */
const maxKept = 2 ** 20;

/** Reads indexed files; keeps a checked text while the stat of its file is the same. */
function createTextReader(
  sourceDir: string,
  rows: () => ReadonlyMap<string, FileRow>,
  changed: (file: string) => SkillwrightError,
): (file: string) => string {
  const kept = new Map<string, { stat: FileStat; text: string }>();
  let size = 0;
  return (file) => {
    const row = rows().get(file);
    if (row?.indexed !== true) throw changed(file);
    const known = kept.get(file);
    kept.delete(file);
    let stat: FileStat = row;
    if (known !== undefined) {
      const now = statSkillFile(sourceDir, file);
      if (now !== undefined && isSameStat(now, known.stat)) {
        kept.set(file, known);
        return known.text;
      }
      size -= known.text.length;
      if (now === undefined) throw changed(file);
      stat = trustedStat(now, Date.now());
    }
    const text = readIndexedText(sourceDir, row);
    if (text === undefined) throw changed(file);
    kept.set(file, { stat, text });
    size += text.length;
    // Drop the least recently used texts.
    for (const [oldest, { text }] of kept) {
      if (size <= maxKept) break;
      kept.delete(oldest);
      size -= text.length;
    }
    return text;
  };
}

function headingConditions(filter: HeadingFilter): { where: string; values: (string | number)[] } {
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(value);
  };
  if (filter.text !== undefined) {
    const folded = foldText(filter.text);
    conditions.push('(folded = ? OR source = ?)');
    values.push(folded, folded);
  }
  add('anchor = ?', filter.anchor);
  add('file = ?', filter.file);
  add('level <= ?', filter.maxLevel);
  return { where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, values };
}
