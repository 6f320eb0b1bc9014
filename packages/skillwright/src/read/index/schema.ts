// The tables of an index. Every change to the stored data, or to the analysis of text, needs a new version: an
// index of another version is rebuilt, never read.

import type { DatabaseShape } from '../../base/sqlite/index.ts';

/** Version of the tables and of the text analysis. */
export const SCHEMA_VERSION = 11;

/**
 * Sections and headings of one file have consecutive ids, starting at the file's `key` times this. Because keys derive
 * from paths, an updated index numbers its rows like a new one.
 */
export const ROWS_PER_FILE = 2 ** 20;

/**
 * Creates the tables. `indexed` of a file is a set of bits: 1 part of it is indexed, 2 its text is left out, 4 it has
 * more headings than listed. `tokens` is the cost of its text for a model. `source` of a heading is its folded text with
 * markup, if it has any; the first of a file also has the line where the text before it starts. The tables hold terms and positions; the text itself is read from the file and checked by its
 * hash. FTS5 may buffer 16 MiB before it writes and keeps up to 16 segments before it merges them, so that small updates stay small.
 */
export const schema = `
CREATE TABLE index_meta (
  skill_path TEXT NOT NULL,
  source_hash TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  tokenizer TEXT NOT NULL,
  indexed_at TEXT NOT NULL,
  section_count INTEGER NOT NULL,
  heading_terms INTEGER NOT NULL,
  content_terms INTEGER NOT NULL,
  removed_sections INTEGER NOT NULL,
  gated INTEGER NOT NULL
);
CREATE TABLE files (
  path TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  mtime INTEGER NOT NULL,
  ctime INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  key INTEGER NOT NULL UNIQUE,
  indexed INTEGER NOT NULL,
  tokens INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE headings (
  id INTEGER PRIMARY KEY,
  file TEXT NOT NULL,
  text TEXT NOT NULL,
  folded TEXT NOT NULL,
  source TEXT,
  level INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  anchor TEXT NOT NULL,
  from_line INTEGER
);
CREATE INDEX headings_folded ON headings (folded);
CREATE INDEX headings_anchor ON headings (anchor);
CREATE INDEX headings_source ON headings (source) WHERE source IS NOT NULL;
CREATE TABLE sections (
  id INTEGER PRIMARY KEY,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  heading_terms INTEGER NOT NULL,
  content_terms INTEGER NOT NULL,
  preface TEXT NOT NULL,
  content_from INTEGER NOT NULL,
  content_to INTEGER NOT NULL,
  terms BLOB NOT NULL
);
CREATE VIRTUAL TABLE sections_fts USING fts5 (
  file, section, content, grams,
  content = '', contentless_delete = 1, tokenize = 'ascii'
);
INSERT INTO sections_fts (sections_fts, rank) VALUES ('hashsize', 16777216), ('automerge', 16);
CREATE VIRTUAL TABLE sections_terms USING fts5vocab (sections_fts, row);
`;

/** Identifies an index. */
export const indexShape: DatabaseShape = {
  schema,
  shape: 'db9d370706e1f943',
  maxBytes: 1024 * 1024 * 1024,
};
