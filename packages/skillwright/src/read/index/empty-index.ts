// An index without content. Making the tables costs more than filling them for a small skill, so that a process which
// builds several indexes makes them once.

import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { harden } from '../../base/sqlite/index.ts';
import { schema } from './schema.ts';

let wanted = 0;
let empty: Buffer | undefined;

/** Writes an empty index to `path`, where nothing is; leaves the first one of a process to `makeTables`. */
export function writeEmptyIndex(path: string): void {
  if (wanted++ === 0) return;
  if (empty !== undefined) {
    writeFileSync(path, empty, { flag: 'wx' });
    return;
  }
  const database = new DatabaseSync(path, { defensive: true });
  try {
    harden(database);
    database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN; ${schema}; COMMIT`);
  } finally {
    database.close();
  }
  empty = readFileSync(path);
}

/** Makes the tables of an index that has none. */
export function makeTables(database: DatabaseSync): void {
  if (database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.tables === 0)
    database.exec(schema);
}
