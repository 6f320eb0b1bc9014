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
  noteRows,
  numberTexts,
  openedQuery,
  periodQuery,
  stepQuery,
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
    group === 'summary' || group === 'days'
      ? readDays(database, skill.dir, { ...question, group })
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
  /** Directory of the skill; null if there are several, or no rows. */
  readonly path: string | null;
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

/** The days, or their sum. */
function readDays(
  database: DatabaseSync,
  dir: string,
  { group, filter, tokens }: Pick<UsageQuestion, 'filter' | 'tokens'> & { group: 'summary' | 'days' },
): Read {
  database.exec(numberTexts);
  const { first, last, parts, where, values } = readOwn(database, dir, {
    filter,
    read: (condition) => ({ ...condition, ...countParts(database, condition, { length: 10, tokens }) }),
  });
  if (group === 'days') {
    const data = parts.map(({ part: day, count, error_count, tokens_served, tokens_saved }) => ({
      ...{ day, count, error_count, tokens_served, tokens_saved },
    }));
    return { first, last, data };
  }
  const distinct = database.prepare(distinctQuery(where)).get(...values);
  const data = { ...noUsage, ...distinct };
  for (const { count, error_count, tokens_served, tokens_saved } of parts) {
    data.total_accesses += count;
    data.error_count += error_count;
    data.tokens_served += tokens_served;
    data.tokens_saved += tokens_saved;
  }
  return { first, last, data };
}

function readGroup(
  database: DatabaseSync,
  dir: string,
  { group, filter }: Pick<UsageQuestion, 'filter'> & { group: Exclude<UsageGroup, 'summary' | 'days'> },
): Read {
  const { first, last, condition } = readOwn(database, dir, {
    filter,
    read: (condition) => {
      const span = database.prepare(periodQuery(condition.where)).get(...condition.values);
      return { ...(span as unknown as Span), condition };
    },
  });
  const rows = database.prepare(groupQueries[group](condition.where)).all(...condition.values);
  return { first, last, data: rows.map((row) => ({ ...row })) as UsageData };
}

/** Numbers of a day, or of an hour. */
interface PartCount {
  readonly part: string;
  count: number;
  /** Accesses that served text of sections or files; this and the last two only in hours. */
  reads: number;
  error_count: number;
  tokens_served: number;
  /** Of the sessions that began in it. */
  tokens_saved: number;
  /** Searches that found nothing. */
  zero_results: number;
  /** Time of the last access other than a build. */
  last_access: string | null;
}

/** Rows of one session in one part, as `stepQuery` returns them. */
interface Step extends Omit<PartCount, 'tokens_saved'> {
  readonly id: number;
  readonly run_id: string;
  readonly skill_path: string;
  readonly first: string;
  readonly last: string;
  readonly served: number | null;
  readonly texts: string | null;
}

/**
 * Reads the rows of a condition once, in steps, and adds them up; the parts are in order. A session counts in the part in
 * which it begins: SKILL.md and each other file that it opened, once, minus all that was served to it. A skill that is gone
 * saves nothing, because nobody knows what it would have cost.
 */
function countParts(
  database: DatabaseSync,
  { where, values }: Condition,
  { length, tokens }: { length: 10 | 13; tokens: UsageQuestion['tokens'] },
): Span & { readonly parts: readonly PartCount[] } {
  const whole = tokens(SKILL_FILE);
  const { opened, prices } = whole === undefined ? noFiles : pricedFiles(database, tokens);
  database.prepare(noteRows).run(JSON.stringify([...opened.keys()]));
  const query = database.prepare(stepQuery(where, length));
  const nextAfter = (id: number) => query.all(id, ...values) as unknown as Step[];
  const parts = new Map<string, PartCount>();
  const sessions = new Map<string, { part: string; saved: number; texts: string }>();
  const paths = new Set<string>();
  let first: string | null = null;
  let last: string | null = null;
  for (let id = Number.MIN_SAFE_INTEGER, rows = nextAfter(id); rows.length > 0; rows = nextAfter(id))
    for (const row of rows) {
      id = Math.max(id, row.id);
      if (first === null || row.first < first) first = row.first;
      if (last === null || row.last > last) last = row.last;
      paths.add(row.skill_path);
      addPart(parts, row);
      if (row.served === null || whole === undefined) continue;
      const key = `${row.run_id}\0${row.skill_path}`;
      const session = sessions.get(key) ?? { part: row.part, saved: whole, texts: '' };
      sessions.set(key, session);
      if (row.part < session.part) session.part = row.part;
      session.saved -= row.served;
      if (row.texts !== null) session.texts += `${row.texts},`;
    }
  // Counts a file once for each session: what it was last counted for is cheaper to look up than a pair of both.
  const countedFor: unknown[] = [];
  for (const session of sessions.values()) {
    for (const number of session.texts.split(','))
      for (const file of opened.get(Number(number)) ?? []) {
        if (countedFor[file] !== session) session.saved += prices[file]!;
        countedFor[file] = session;
      }
    parts.get(session.part)!.tokens_saved += session.saved;
  }
  const [path = null] = paths;
  return {
    ...{ first, last, path: paths.size > 1 ? null : path },
    parts: [...parts.values()].sort((a, b) => compareBytes(a.part, b.part)),
  };
}

const noFiles: ReturnType<typeof pricedFiles> = { opened: new Map(), prices: [] };

/** Tokens of each file but SKILL.md that was opened and still exists, and which of them each text opened. */
function pricedFiles(database: DatabaseSync, tokens: UsageQuestion['tokens']) {
  const places = new Map([[SKILL_FILE, 0]]);
  const prices = [0];
  const opened = new Map<number, number[]>();
  for (const row of database.prepare(openedQuery).iterate()) {
    const file = String(row.file);
    const at = places.get(file) ?? prices.push(tokens(file) ?? 0) - 1;
    places.set(file, at);
    if (prices[at] === 0) continue;
    const number = Number(row.number);
    opened.set(number, [...(opened.get(number) ?? []), at]);
  }
  return { opened, prices };
}

function addPart(parts: Map<string, PartCount>, row: Step): void {
  const { part, reads = 0, zero_results = 0, last_access = null } = row;
  const none = { count: 0, reads: 0, error_count: 0, tokens_served: 0, tokens_saved: 0, zero_results: 0 };
  const known = parts.get(part) ?? { part, ...none, last_access };
  parts.set(part, known);
  known.count += row.count;
  known.reads += reads;
  known.error_count += row.error_count;
  known.tokens_served += row.tokens_served;
  known.zero_results += zero_results;
  if ((last_access ?? '') > (known.last_access ?? '')) known.last_access = last_access;
}

/** Numbers of one skill in one hour. */
export interface HourCount extends Omit<PartCount, 'part'> {
  /** `2026-01-02T03`, in UTC. */
  readonly hour: string;
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
    database.exec(numberTexts);
    const hours = loggedPaths(database).map((path) => {
      const condition = { where: 'skill_path = ?', values: [path] };
      const { parts } = countParts(database, condition, { length: 13, tokens: tokensOf(path) });
      return [path, parts.map(({ part: hour, ...counts }) => ({ hour, ...counts }))] as const;
    });
    return { last: Number(end?.last), hours: new Map(hours) };
  });
  return read ?? { last: 0, hours: new Map() };
}

type Condition = ReturnType<typeof conditionOf>;

/**
 * What `read` returns for the rows of this skill. Skills of one name may share a log: rows of another existing skill are
 * excluded; rows of a path that no longer exists belong to this skill from before it was moved.
 */
function readOwn<Result extends Span>(
  database: DatabaseSync,
  dir: string,
  { filter, read }: { filter: UsageFilter; read: (condition: Condition) => Result },
): Result {
  const result = read(conditionOf(filter));
  if (result.path === dir) return result;
  const others = otherSkills(database, dir);
  return others.length === 0 ? result : read(conditionOf(filter, others));
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
