// An index without content. For a small skill, creating the tables takes longer than filling them, so a process that
// builds several indexes creates them once.

import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { harden } from '../../base/sqlite/index.ts';
import { schema } from './schema.ts';

let wanted = 0;
let empty: Buffer | undefined;

/** Writes an empty index to `path`, a new file; the first one of a process is left to `makeTables`. */
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

let serialized: Uint8Array | undefined;

/** The bytes of an empty index, where the runtime can make them in memory. */
export function emptyIndex(): Uint8Array {
  if (serialized !== undefined) return serialized;
  const database = new DatabaseSync(':memory:', { defensive: true });
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
export function makeTables(database: DatabaseSync): void {
  if (database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.tables === 0)
    database.exec(schema);
}
