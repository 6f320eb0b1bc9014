// Rows of an index: putting a file in and taking it out.

import type { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../files/hash.ts';
import { foldText } from '../markdown/fold-text.ts';
import type { RunAnalyzer } from './analyze-text.ts';
import { isMarkdownPath, readSections } from './read-sections.ts';
import { ROWS_PER_FILE } from './schema.ts';
import { analyzeSection } from './section-terms.ts';
import type { IndexedFile, ReadFile } from './skill-files.ts';

/** Changes the rows of one open database. */
export interface SectionWriter {
  /** Adds a file that is not there. */
  insert(read: ReadFile, key: number): void;
  remove(path: string, key: number): void;
  /** Records that a file looks different and says the same. */
  touch(file: IndexedFile): void;
}

/** Prepares the statements once for all files. */
export function createSectionWriter(database: DatabaseSync, analyze: RunAnalyzer): SectionWriter {
  const insertFile = database.prepare(
    'INSERT INTO files (path, size, mtime, ctime, sha256, key, indexed) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertHeading = database.prepare('INSERT INTO headings VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const insertSection = database.prepare('INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const insertTerms = database.prepare(
    'INSERT INTO sections_fts (rowid, file, section, content, grams) VALUES (?, ?, ?, ?, ?)',
  );
  const updateFile = database.prepare('UPDATE files SET mtime = ?, ctime = ? WHERE path = ?');
  const deleteFile = database.prepare('DELETE FROM files WHERE path = ?');
  const deleteRows = ['headings WHERE id', 'sections WHERE id', 'sections_fts WHERE rowid'].map((rows) =>
    database.prepare(`DELETE FROM ${rows} BETWEEN ? AND ?`),
  );

  return {
    insert({ file, text }, key) {
      insertFile.run(file.path, file.size, file.mtimeNs, file.ctimeNs, file.sha256, key, file.indexed ? 1 : 0);
      if (text === undefined) return;
      const { headings, sections } = readSections(file.path, text);
      const firstId = key * ROWS_PER_FILE;
      headings.forEach(({ text, level, line, endLine, anchor }, index) => {
        insertHeading.run(firstId + index, file.path, text, foldText(text), level, line, endLine, anchor);
      });
      const location = isMarkdownPath(file.path) ? file.path.slice(0, -3) : file.path;
      sections.forEach((section, index) => {
        const id = firstId + index;
        const { heading, anchor, startLine, endLine, ancestors, content } = section;
        const found = analyzeSection({ file: location, heading, ancestors, content }, analyze);
        const { headingLength, contentLength, terms } = found;
        insertSection.run(id, file.path, heading, anchor, startLine, endLine, headingLength, contentLength, terms, content);
        insertTerms.run(id, found.file, found.section, found.content, found.grams);
      });
    },
    remove(path, key) {
      deleteFile.run(path);
      for (const statement of deleteRows)
        statement.run(key * ROWS_PER_FILE, key * ROWS_PER_FILE + ROWS_PER_FILE - 1);
    },
    touch(file) {
      updateFile.run(file.mtimeNs, file.ctimeNs, file.path);
    },
  };
}

/** The key of a file: 32 bits of the hash of its path, or the next number that is free. */
export function fileKey(path: string, taken: ReadonlySet<number>): number {
  let key = Number.parseInt(sha256(path).slice(0, 8), 16);
  while (taken.has(key)) key = (key + 1) % 2 ** 32;
  return key;
}
