// Forgetting old accesses.

import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { logPath } from './access-log.ts';
import { isBusy, isLogError, isMissingTable } from './log-error.ts';
import { otherSkills, type UsedSkill } from './read-usage.ts';
import { conditionOf } from './usage-filter.ts';

/** Rows that are deleted at once, so that nobody who wants to write waits long. */
const BATCH = 20_000;

/** Deletes the accesses of a skill before a time and gives how many there were and are. E016 when it cannot. */
export function pruneLog({ dir, runtime }: UsedSkill, before: string): { removed: number; kept: number } {
  const path = logPath(runtime);
  if (!existsSync(path)) return { removed: 0, kept: 0 };
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 5000 });
    return deleteRows(database, dir, before);
  } catch (error) {
    if (isMissingTable(error)) return { removed: 0, kept: 0 };
    if (!isLogError(error)) throw error;
    throw SkillwrightError.of('E016', { path, why: (error as Error).message }, { cause: error });
  } finally {
    database?.close();
  }
}

function deleteRows(database: DatabaseSync, dir: string, before: string): { removed: number; kept: number } {
  const everything = { since: null, until: null, projects: [] };
  const { where, values } = conditionOf(everything, otherSkills(database, dir));
  const old = `SELECT id FROM access_log WHERE timestamp < ? AND ${where} LIMIT ${BATCH}`;
  const remove = database.prepare(`DELETE FROM access_log WHERE id IN (${old})`);
  let removed = 0;
  for (let changes = BATCH; changes === BATCH; removed += changes)
    changes = Number(remove.run(before, ...values).changes);
  database.prepare('DELETE FROM synced_row WHERE timestamp < ?').run(before);
  if (removed > 0) shrink(database);
  const row = database.prepare(`SELECT count(*) AS kept FROM access_log WHERE ${where}`).get(...values);
  return { removed, kept: Number(row?.kept) };
}

/** Gives the space back; where others are at work, they use it up again. */
function shrink(database: DatabaseSync): void {
  try {
    database.exec('VACUUM');
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}
