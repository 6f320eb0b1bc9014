// Deletes old accesses.

import { existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { checkSound, isBusy, isLogError, logPath, openLogFile } from './access-log.ts';
import { otherSkills, type UsedSkill } from './read-usage.ts';
import { conditionOf } from './usage-filter.ts';

/** Rows deleted at once, so that writers do not wait long. */
const BATCH = 20_000;

/** Deletes the accesses of a skill before a time; returns the number deleted and the number left. E016 on failure. */
export function pruneLog(
  { dir, runtime, home }: UsedSkill,
  before: string,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): { removed: number; kept: number } {
  const path = logPath(runtime);
  if (!existsSync(path) || statSync(path).size === 0) return { removed: 0, kept: 0 };
  let database: DatabaseSync | undefined;
  try {
    database = openLogFile(path, { readOnly: dryRun });
    checkSound(database, path, home);
    return pruneRows(database, { dir, before, dryRun });
  } catch (error) {
    if (!isLogError(error)) throw error;
    throw SkillwrightError.of('E016', { path, why: (error as Error).message }, { cause: error });
  } finally {
    database?.close();
  }
}

function pruneRows(
  database: DatabaseSync,
  { dir, before, dryRun }: { dir: string; before: string; dryRun: boolean },
): { removed: number; kept: number } {
  const everything = { since: null, until: null, projects: [] };
  const { where, values } = conditionOf(everything, otherSkills(database, dir));
  const count = (condition: string) => {
    const query = `SELECT count(*) AS count FROM access_log WHERE timestamp ${condition} ? AND ${where}`;
    return Number(database.prepare(query).get(before, ...values)?.count);
  };
  if (dryRun) return { removed: count('<'), kept: count('>=') };
  const old = `SELECT id FROM access_log WHERE timestamp < ? AND ${where} LIMIT ${BATCH}`;
  const remove = database.prepare(`DELETE FROM access_log WHERE id IN (${old})`);
  let removed = 0;
  for (let changes = BATCH; changes === BATCH; removed += changes)
    changes = Number(remove.run(before, ...values).changes);
  database.prepare('DELETE FROM synced_row WHERE timestamp < ?').run(before);
  if (removed > 0) shrink(database);
  return { removed, kept: count('>=') };
}

/** Frees the space; when the log is in use, new rows reuse it. */
function shrink(database: DatabaseSync): void {
  try {
    database.exec('VACUUM');
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}
