// Which accesses are counted: those of a time and of some projects.

import { resolve, sep } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { realPath } from '../../base/files/index.ts';

/** What is counted. Both times are included, spelled as the log spells them. */
export interface UsageFilter {
  readonly since: string | null;
  readonly until: string | null;
  /** Absolute directories; an access from inside one of them counts. All when empty. */
  readonly projects: readonly string[];
}

/** The filter in the words of a user; E031 says what cannot be understood. */
export function readUsageFilter(
  given: { since?: string | undefined; until?: string | undefined; project: readonly string[] },
  cwd: string,
): UsageFilter {
  const since = given.since === undefined ? null : readTime(given.since, 'start');
  const until = given.until === undefined ? null : readTime(given.until, 'end');
  if (since !== null && until !== null && since > until)
    throw invalid(`${given.since} is after ${given.until}`);
  if (given.project.some((project) => project === '' || project.includes('\0')))
    throw invalid('a project needs a path');
  return { since, until, projects: given.project.map((project) => resolve(cwd, project)) };
}

const datePattern = /^(\d{4}-\d\d-\d\d)$/;
const timePattern =
  /^(\d{4}-\d\d-\d\d)[Tt ]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** RFC 3339, or a date that stands for the first or the last moment of its day in UTC. E031 for anything else. */
export function readTime(text: string, edge: 'start' | 'end'): string {
  const [, day] = datePattern.exec(text) ?? timePattern.exec(text) ?? [];
  if (day === undefined || !isOnCalendar(day)) throw invalid(`${text || 'nothing'} is no date`);
  if (text === day) return `${day}T${edge === 'start' ? '00:00:00.000' : '23:59:59.999'}Z`;
  // A leap second is told as the second before it, and no more than milliseconds are kept.
  const known = text
    .toUpperCase()
    .replace(' ', 'T')
    .replace(/:60(?=[.Z+-])/, ':59')
    .replace(/(\.\d{3})\d+/, '$1');
  const time = new Date(known);
  if (Number.isNaN(time.getTime())) throw invalid(`${text} is no date`);
  return time.toISOString();
}

/** Some engines take the 30th of February for a day in March. */
function isOnCalendar(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
}

const invalid = (why: string) =>
  SkillwrightError.of('E031', { why }, { help: 'dates are RFC 3339 or YYYY-MM-DD' });

/** The condition that lets every row pass. */
export const everyRow = 'TRUE';

/** A condition and its values for a query over `access_log`. Rows of the skills in `others` do not count. */
export function conditionOf(
  { since, until, projects }: UsageFilter,
  others: readonly string[] = [],
): { where: string; values: (string | number)[] } {
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, ...bound: (string | number)[]): void => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (since !== null) add('timestamp >= ?', since);
  if (until !== null) add('timestamp <= ?', until);
  if (others.length > 0) add('skill_path NOT IN (SELECT value FROM json_each(?))', JSON.stringify(others));
  if (projects.length > 0) {
    const spellings = projects.flatMap((project) => [...new Set([project, realPath(project)])]);
    const inside = spellings.flatMap((project) => {
      const prefix = project.endsWith(sep) ? project : `${project}${sep}`;
      // SQLite counts characters, not halves of them.
      return [project, [...prefix].length, prefix];
    });
    add(`(${spellings.map(() => 'cwd = ? OR substr(cwd, 1, ?) = ?').join(' OR ')})`, ...inside);
  }
  return { where: conditions.length === 0 ? everyRow : conditions.join(' AND '), values };
}
