// Adds and removes the rows of a file in an index.

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { sha256 } from '../../base/files/index.ts';
import { foldText } from '../../base/markdown/index.ts';
import type { RunScanner } from '../../base/words/index.ts';
import { isGatedText } from '../../skill/format/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import { readSections } from './read-sections.ts';
import { ROWS_PER_FILE } from './schema.ts';
import { hasSections } from './section.ts';
import { createSectionReader } from './section-terms.ts';
import type { IndexedFile, ReadFile } from './source-files.ts';

/** Totals of an index: number of sections, number of terms, and whether a quiz may lock it. */
export interface SectionTotals {
  sections: number;
  headingTerms: number;
  contentTerms: number;
  /** Number of sections removed since the last full build. */
  removed: number;
  /** False only when SKILL.md is known to have no gate. */
  gated: boolean;
}

/** Changes the rows of one open database. */
interface SectionWriter {
  /** Kept up to date with every change. */
  readonly totals: SectionTotals;
  /** Number of added headings per folded text. */
  count(folded: string): number;
  /** Adds a new file. */
  insert(read: ReadFile, key: number): void;
  /** Removes a file and its sections. */
  remove(file: { path: string; key: number }): void;
  /** Records the new stat of a file whose content is unchanged. */
  touch(file: IndexedFile): void;
}

/** Prepares each statement once for all files, and those of a change at the first one: most indexes are only filled. */
export function createSectionWriter(
  database: DatabaseSync,
  scan: RunScanner,
  before: SectionTotals = { sections: 0, headingTerms: 0, contentTerms: 0, removed: 0, gated: false },
): SectionWriter {
  const totals = { ...before };
  const times = new Map<string, number>();
  const readFile = createSectionReader(scan);
  const insertFile = database.prepare(
    'INSERT INTO files (path, size, mtime, ctime, sha256, key, indexed, tokens) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const insertHeading = database.prepare('INSERT INTO headings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const insertSection = database.prepare('INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const insertTerms = database.prepare(
    'INSERT INTO sections_fts (rowid, file, section, content, grams) VALUES (?, ?, ?, ?, ?)',
  );
  let removal: Removal | undefined;
  let updateFile: StatementSync | undefined;

  const count = (sections: number, headingTerms: number, contentTerms: number): void => {
    totals.sections += sections;
    totals.headingTerms += headingTerms;
    totals.contentTerms += contentTerms;
  };

  return {
    totals,
    count: (folded) => times.get(folded) ?? 0,
    insert({ file, text }, key) {
      const extent = file.leftOut ? 'headings' : 'whole';
      const found = text === undefined ? undefined : readSections(file.path, text, extent);
      const isCut = (found?.moreHeadings ?? 0) > 0;
      insertFile.run(
        file.path,
        file.size,
        file.mtimeNs,
        file.ctimeNs,
        file.sha256,
        key,
        (file.indexed ? 1 : 0) | (file.leftOut ? 2 : 0) | (isCut ? 4 : 0),
        file.tokens,
      );
      if (file.path === SKILL_FILE) totals.gated = text === undefined || isGatedText(text);
      if (text === undefined || found === undefined) return;
      const { headings, sections, lead } = found;
      // A section has the id of its heading. The first id is for text without a heading.
      const firstId = key * ROWS_PER_FILE;
      headings.forEach((heading, index) => {
        const { text, source, level, line, endLine, anchor } = heading;
        const fromLine = heading === lead?.heading ? lead.line : null;
        const folded = foldText(text);
        const written = source === text ? null : foldText(source);
        const id = firstId + 1 + index;
        for (const meant of new Set([folded, written ?? folded]))
          times.set(meant, (times.get(meant) ?? 0) + 1);
        insertHeading.run(id, file.path, text, folded, written, level, line, endLine, anchor, fromLine);
      });
      const location = hasSections(file.path) ? file.path.slice(0, -3) : file.path;
      const readTerms = readFile({ path: location, text });
      for (const section of sections) {
        const id = firstId + 1 + section.place;
        const { startLine, endLine, preface, from, to } = section;
        const terms = readTerms(section);
        const lengths = [terms.headingLength, terms.contentLength] as const;
        insertSection.run(id, startLine, endLine, ...lengths, preface, from, to, terms.terms);
        insertTerms.run(id, terms.file, terms.section, terms.content, terms.grams);
        count(1, ...lengths);
      }
    },
    remove({ path, key }) {
      const range = [key * ROWS_PER_FILE, key * ROWS_PER_FILE + ROWS_PER_FILE - 1] as const;
      removal ??= prepareRemoval(database);
      const { selectTotals, deleteFile, deleteRows } = removal;
      const gone = selectTotals.get(...range);
      count(-Number(gone?.sections), -Number(gone?.heading), -Number(gone?.content));
      totals.removed += Number(gone?.sections);
      deleteFile.run(path);
      for (const statement of deleteRows) statement.run(...range);
    },
    touch(file) {
      updateFile ??= database.prepare('UPDATE files SET mtime = ?, ctime = ? WHERE path = ?');
      updateFile.run(file.mtimeNs, file.ctimeNs, file.path);
    },
  };
}

type Removal = ReturnType<typeof prepareRemoval>;

function prepareRemoval(database: DatabaseSync) {
  return {
    selectTotals: database.prepare(
      `SELECT count(*) AS sections, coalesce(sum(heading_terms), 0) AS heading, coalesce(sum(content_terms), 0) AS content
        FROM sections WHERE id BETWEEN ? AND ?`,
    ),
    deleteFile: database.prepare('DELETE FROM files WHERE path = ?'),
    deleteRows: ['headings WHERE id', 'sections WHERE id', 'sections_fts WHERE rowid'].map((rows) =>
      database.prepare(`DELETE FROM ${rows} BETWEEN ? AND ?`),
    ),
  };
}

/** Key of a file: 22 bits of the hash of its path, or the next free number. */
export function fileKey(path: string, taken: ReadonlySet<number>): number {
  let key = Number.parseInt(sha256(path).slice(0, 6), 16) >>> 2;
  while (taken.has(key)) key = (key + 1) % 2 ** 22;
  return key;
}
