// Reads the usage of a skill from its log, and lists the skills that have one.

import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { compareBytes, namesIn, realPath } from '../../base/files/index.ts';
import { buildRecord, isSkill, listReadingPlaces, mayBeSkill, SKILL_FILE } from '../../skill/skill/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import type { OutlineHeading } from '../gateway/index.ts';
import { type LogOwner, readLog } from './access-log.ts';
import { conditionOf, type UsageFilter } from './usage-filter.ts';
import type { UsageData, UsageGroup, UsageRow } from './usage-group.ts';
import {
  distinctQuery,
  groupQueries,
  hoursQuery,
  openedQuery,
  periodQuery,
  savedQuery,
  totalsQuery,
} from './usage-queries.ts';

/** The skill to report on. */
export interface UsedSkill {
  /** Canonical directory of the source. */
  readonly dir: string;
  readonly runtime: string;
  readonly home?: string | undefined;
}

/** The requested report. */
export interface UsageQuestion {
  readonly group: UsageGroup;
  readonly filter: UsageFilter;
  /** Tokens of a file as it is now; undefined when there is none. Only called for the summary and the days. */
  tokens(file: string): number | undefined;
  /** Current sections of the skill; only called for the sections. */
  sections(): readonly PresentSection[];
  /** Current quiz questions, in order; only called for the quiz. */
  questions(): readonly string[];
}

/** A section of the skill as it is now. */
export type PresentSection = Pick<OutlineHeading, 'file' | 'text' | 'anchor' | 'start_line' | 'end_line'>;

/** The report, and the times of its first and last access. */
export interface Usage {
  readonly period: { start: string | null; end: string | null };
  readonly data: UsageData;
}

/** Aggregates the accesses of a skill. Without a log, all counts are zero. E015 when the log cannot be read. */
export function readUsage(skill: UsedSkill, question: UsageQuestion): Usage {
  const { group } = question;
  const answer = readLog(skill, (database) =>
    group === 'summary'
      ? readSummary(database, skill.dir, question)
      : readGroup(database, skill.dir, { ...question, group }),
  );
  const { data, first, last } = answer ?? {
    data: group === 'summary' ? noUsage : [],
    first: null,
    last: null,
  };
  const period = { start: first, end: last };
  if (group === 'quiz')
    return { period, data: withQuestions(data as UsageRow<'quiz'>[], question.questions()) };
  if (group === 'sections')
    return { period, data: sectionsRead(data as unknown as LoggedSection[], question.sections()) };
  return { period, data };
}

/** Facts about the counted rows. */
interface Span {
  readonly first: string | null;
  readonly last: string | null;
  readonly low_path: string | null;
  readonly high_path: string | null;
}

type Read = Pick<Span, 'first' | 'last'> & { readonly data: UsageData };

/** The summary of a skill that nobody has read. */
const noUsage: UsageRow<'summary'> = {
  total_accesses: 0,
  unique_sections: 0,
  unique_files: 0,
  error_count: 0,
  tokens_served: 0,
  tokens_saved: 0,
};

function readSummary(database: DatabaseSync, dir: string, { filter, tokens }: UsageQuestion): Read {
  const { condition, span } = readOwn(database, dir, {
    filter,
    read: ({ where, values }) => database.prepare(totalsQuery(where)).get(...values),
  });
  const { where, values } = condition;
  const distinct = database.prepare(distinctQuery(where)).get(...values);
  const { first, last, low_path, high_path, ...totals } = span;
  const saved = [...savedBy(10, database, { condition, tokens }).values()];
  const tokens_saved = saved.reduce((sum, one) => sum + one, 0);
  return { first, last, data: { ...noUsage, ...totals, ...distinct, tokens_saved } };
}

function readGroup(
  database: DatabaseSync,
  dir: string,
  {
    group,
    filter,
    tokens,
  }: Pick<UsageQuestion, 'filter' | 'tokens'> & { group: Exclude<UsageGroup, 'summary'> },
): Read {
  const { condition, span } = readOwn(database, dir, {
    filter,
    read: ({ where, values }) => database.prepare(periodQuery(where)).get(...values),
  });
  const { where, values } = condition;
  const query = database.prepare(groupQueries[group](where));
  const rows = query.all(...values);
  const { first, last } = span;
  if (group !== 'days') return { first, last, data: rows.map((row) => ({ ...row })) as UsageData };
  const saved = savedBy(10, database, { condition, tokens });
  const days = rows.map((row) => ({ ...row, tokens_saved: saved.get(String(row.day)) ?? 0 }));
  return { first, last, data: days as UsageData };
}

/** Tokens saved by day or hour; none for a skill that is gone, of which nobody knows what it would have cost. */
function savedBy(
  length: 10 | 13,
  database: DatabaseSync,
  { condition: { where, values }, tokens }: { condition: Condition; tokens: UsageQuestion['tokens'] },
): ReadonlyMap<string, number> {
  const whole = tokens(SKILL_FILE);
  if (whole === undefined) return new Map();
  const files = database.prepare(openedQuery(where)).all(...values);
  const sizes = files.map(({ file }) => [file, file === SKILL_FILE ? 0 : (tokens(String(file)) ?? 0)]);
  const rows = database
    .prepare(savedQuery(where, length))
    .all(...values, JSON.stringify(Object.fromEntries(sizes)), ...values, ...values, whole);
  return new Map(rows.map((row) => [String(row.part), Number(row.tokens_saved)]));
}

/** Numbers of one skill in one hour. */
export interface HourCount {
  /** `2026-01-02T03`, in UTC. */
  readonly hour: string;
  readonly count: number;
  /** Accesses that served text of sections or files. */
  readonly reads: number;
  readonly error_count: number;
  readonly tokens_served: number;
  /** Of the sessions that began in this hour. */
  readonly tokens_saved: number;
  /** Searches that found nothing. */
  readonly zero_results: number;
  /** Time of the last access other than a build. */
  readonly last_access: string | null;
}

/**
 * The hours of each directory in a log, and the ends of its rows. `tokensOf` measures the skill that was once in a directory.
 * Without a log, nothing. E015 when it cannot be read.
 */
export function readHours(
  owner: LogOwner,
  tokensOf: (path: string) => UsageQuestion['tokens'],
): { readonly last: number; readonly hours: ReadonlyMap<string, readonly HourCount[]> } {
  const read = readLog(owner, (database) => {
    const end = database.prepare('SELECT coalesce(max(id), 0) AS last FROM access_log').get();
    const query = database.prepare(hoursQuery('skill_path = ?'));
    const hours = loggedPaths(database).map((path) => {
      const condition = { where: 'skill_path = ?', values: [path] };
      const saved = savedBy(13, database, { condition, tokens: tokensOf(path) });
      const rows = query.all(path).map((row) => ({ ...row, tokens_saved: saved.get(String(row.hour)) ?? 0 }));
      return [path, rows as unknown as HourCount[]] as const;
    });
    return { last: Number(end?.last), hours: new Map(hours) };
  });
  return read ?? { last: 0, hours: new Map() };
}

type Condition = ReturnType<typeof conditionOf>;

/**
 * The condition that selects the rows of this skill, and the facts `read` returns. Skills of one name may share a log:
 * rows of another existing skill are excluded; rows of a path that no longer exists belong to this skill from
 * before it was moved.
 */
function readOwn(
  database: DatabaseSync,
  dir: string,
  { filter, read }: { filter: UsageFilter; read: (condition: Condition) => unknown },
): { condition: Condition; span: Span } {
  const all = conditionOf(filter);
  const span = read(all) as Span;
  const isOwn = span.low_path === span.high_path && (span.low_path ?? dir) === dir;
  const others = isOwn ? [] : otherSkills(database, dir);
  if (others.length === 0) return { condition: all, span };
  const own = conditionOf(filter, others);
  return { condition: own, span: read(own) as Span };
}

/** Directories with rows in a log. */
const loggedPaths = (database: DatabaseSync): string[] =>
  database
    .prepare('SELECT DISTINCT skill_path AS path FROM access_log')
    .all()
    .map(({ path }) => String(path));

/** Directories of other skills with rows in a log. */
export const otherSkills = (database: DatabaseSync, dir: string): string[] =>
  loggedPaths(database).filter((path) => path !== dir && mayBeSkill(path));

function withQuestions(rows: readonly UsageRow<'quiz'>[], texts: readonly string[]): UsageRow<'quiz'>[] {
  return rows.map((row) => ({ ...row, text: texts[row.question - 1] ?? null }));
}

/** A group of sections in the log. */
type LoggedSection = Omit<UsageRow<'sections'>, 'section'> & {
  /** Null for a whole file. */
  readonly section: string | null;
  /** 1 when everything below came along, in rows that do not list it. */
  readonly inside: 0 | 1;
};

/** The most read sections first, and at the end the unread ones, which the author may shorten or promote. */
function sectionsRead(
  logged: readonly LoggedSection[],
  present: readonly PresentSection[],
): UsageRow<'sections'>[] {
  const keyOf = (file: string, anchor: string | null, section: string) =>
    JSON.stringify(anchor === null ? [file, null, section] : [file, anchor]);
  const rows = new Map<string, UsageRow<'sections'>>();
  const add = (row: UsageRow<'sections'>): void => {
    const key = keyOf(row.file, row.anchor, row.section);
    const { count = 0, asked = 0, lines = 0 } = rows.get(key) ?? {};
    rows.set(key, { ...row, count: count + row.count, asked: asked + row.asked, lines: lines + row.lines });
  };
  const ofFile = Map.groupBy(present, ({ file }) => file);
  for (const { inside, section, ...row } of logged) {
    const headings = ofFile.get(row.file) ?? [];
    const meant = row.anchor === null ? headings.find(({ text }) => text === section) : undefined;
    if (section !== null && meant === undefined) add({ ...row, section });
    for (const [at, heading] of headings.entries()) {
      const isInside =
        inside === 1 &&
        (section === null ||
          (meant !== undefined &&
            heading.start_line > meant.start_line &&
            heading.start_line <= meant.end_line));
      if (heading !== meant && !isInside) continue;
      const { file, text, anchor, start_line, end_line } = heading;
      const own = Math.min(end_line, (headings[at + 1]?.start_line ?? Number.POSITIVE_INFINITY) - 1);
      const { count } = row;
      const asked = heading === meant ? count : 0;
      add({ file, section: text, anchor, count, asked, lines: count * (own - start_line + 1) });
    }
  }
  const read = [...rows.values()].sort(
    (a, b) => b.count - a.count || compareBytes(a.file, b.file) || compareBytes(a.section, b.section),
  );
  for (const { file, text: section, anchor } of present)
    if (!rows.has(keyOf(file, anchor, section))) add({ file, section, anchor, count: 0, asked: 0, lines: 0 });
  const unread = [...rows.values()].slice(read.length);
  return [
    ...read,
    ...unread.sort((a, b) => compareBytes(a.file, b.file) || compareBytes(a.section, b.section)),
  ];
}

/** One listed skill. */
export interface ListedSkill extends UsedSkill {
  readonly name: string;
}

/**
 * The skills of the project's and the user's runtime directories, and those read in place. A skill that was never
 * built is known by its log alone; for one whose source is gone, `dir` is its former path. Reports E015 and lists the rest.
 */
export function listUsedSkills(workspace: Workspace, report: (error: unknown) => void): ListedSkill[] {
  const { stores, home } = workspace;
  const runtimes = stores.flatMap(({ runtime }) => namesIn(runtime).map((name) => join(runtime, name)));
  return [...runtimes, ...listReadingPlaces(workspace)].flatMap((runtime) => {
    try {
      return skillsOf(runtime, home).map((dir) => ({ name: basename(runtime), dir, runtime, home }));
    } catch (error) {
      report(error);
      return [];
    }
  });
}

function skillsOf(runtime: string, home: string): string[] {
  const recorded = buildRecord(home).runtime(runtime);
  const built = recorded === undefined ? undefined : sourceOf(recorded.source);
  const logged = readLog({ runtime, home }, (database) => {
    const last = database.prepare('SELECT skill_path AS path FROM access_log ORDER BY id DESC LIMIT 1').get();
    return last === undefined ? [] : { last: String(last.path), others: otherSkills(database, built ?? '') };
  });
  if (logged === undefined || Array.isArray(logged)) return built === undefined ? [] : [built];
  const { last, others } = logged;
  if (built !== undefined) return [built, ...others];
  return others.length > 0 ? others : [last];
}

/** Real path of the source; the written path when it is gone. */
const sourceOf = (path: string) => (isSkill(path) ? realPath(path) : path);
