// Reads the rows of an access log, for tests.

import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Every row of a log in the order of writing; none when there is no log. */
export function rowsIn(path: string): Record<string, unknown>[] {
  if (!existsSync(path)) return [];
  const database = new DatabaseSync(path);
  try {
    const rows = database.prepare('SELECT * FROM access_log ORDER BY id').all();
    return rows.map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}
