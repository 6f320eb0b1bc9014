// Reads the rows of an access log, for tests.

import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
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

/** The rows of a skill that was never built, by the name of its directory. */
export function rowsInCache(home: string, name: string): Record<string, unknown>[] {
  return globSync(join(home, '.skillc/cache/reading/*', name, '.skillc/logs.db')).flatMap(rowsIn);
}
