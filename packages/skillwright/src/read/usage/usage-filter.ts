// Selects accesses by time and project.

import { resolve, sep } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { realPath } from '../../base/files/index.ts';

/** The filter. Both times are inclusive, in the notation of the log. */
export interface UsageFilter {
  readonly since: string | null;
  readonly until: string | null;
  /** Absolute directories; accesses from inside one of them count. All when empty. */
  readonly projects: readonly string[];
  /** Excludes the author's own reads: with `--author`, or from inside the skill's own directory. */
  readonly without_author?: true;
}

/** Parses the user's filter; E031 says which part is invalid. */
export function readUsageFilter(
  given: {
    readonly since?: string | undefined;
    readonly until?: string | undefined;
    readonly project: readonly string[];
    readonly without_author?: boolean | undefined;
  },
  { cwd, now }: { readonly cwd: string; readonly now: Date },
): UsageFilter {
  const since = given.since === undefined ? null : readTime(given.since, { edge: 'start', now });
  const until = given.until === undefined ? null : readTime(given.until, { edge: 'end', now });
  if (since !== null && until !== null && since > until)
    throw invalid(`${given.since} is after ${given.until}`);
  if (given.project.some((project) => project === '' || project.includes('\0')))
    throw invalid('a project needs a path');
  const projects = given.project.map((project) => resolve(cwd, project));
  return { since, until, projects, ...(given.without_author ? { without_author: true } : {}) };
}

const datePattern = /^(\d{4}-\d\d-\d\d)$/;
const timePattern =
  /^(\d{4}-\d\d-\d\d)[Tt ]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const agoPattern = /^(\d{1,5})([hdw])$/;
const hoursOf: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24 };

/**
 * RFC 3339; a date, which stands for the first or last moment of its day in UTC; or a duration before now: 12h, 7d, 2w.
 * E031 for anything else.
 */
export function readTime(text: string, { edge, now }: { edge: 'start' | 'end'; now: Date }): string {
  const [, count, unit] = agoPattern.exec(text) ?? [];
  if (unit !== undefined)
    return new Date(now.getTime() - Number(count) * hoursOf[unit]! * 3_600_000).toISOString();
  const [, day] = datePattern.exec(text) ?? timePattern.exec(text) ?? [];
  if (day === undefined || !isOnCalendar(day))
    throw invalid(text === '' ? 'a date is missing' : `${text} is not a date`);
  if (text === day) return `${day}T${edge === 'start' ? '00:00:00.000' : '23:59:59.999'}Z`;
  // A leap second counts as the second before it, and only milliseconds are kept.
  const known = text
    .toUpperCase()
    .replace(' ', 'T')
    .replace(/:60(?=[.Z+-])/, ':59')
    .replace(/(\.\d{3})\d+/, '$1');
  const time = new Date(known);
  if (Number.isNaN(time.getTime())) throw invalid(`${text} is not a date`);
  return time.toISOString();
}

/** Some engines read 30 February as a day in March. */
function isOnCalendar(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
}

const invalid = (why: string) =>
  SkillwrightError.of(
    'E031',
    { why },
    { help: 'write 2026-01-31, 2026-01-31T08:00:00Z, or how long ago: 12h, 7d, 2w' },
  );

/** The condition that matches every row. */
export const everyRow = 'TRUE';

/** Rows other than the author's own reads. */
const notByAuthor = `
  CASE WHEN json_valid(args) THEN coalesce(args ->> '$.author', 0) = 0 ELSE TRUE END
  AND cwd <> skill_path AND substr(cwd, 1, length(skill_path) + 1) <> skill_path || '${sep}'`;

/** A condition and its values for a query over `access_log`. Excludes rows of the skills in `others`. */
export function conditionOf(
  { since, until, projects, without_author: withoutAuthor }: UsageFilter,
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
  if (withoutAuthor) add(notByAuthor);
  if (others.length > 0) add('skill_path NOT IN (SELECT value FROM json_each(?))', JSON.stringify(others));
  if (projects.length > 0) {
    const spellings = projects.flatMap((project) => [...new Set([project, realPath(project)])]);
    const inside = spellings.flatMap((project) => {
      const prefix = project.endsWith(sep) ? project : `${project}${sep}`;
      // SQLite counts characters, not UTF-16 units.
      return [project, [...prefix].length, prefix];
    });
    add(`(${spellings.map(() => 'cwd = ? OR substr(cwd, 1, ?) = ?').join(' OR ')})`, ...inside);
  }
  return { where: conditions.length === 0 ? everyRow : conditions.join(' AND '), values };
}
