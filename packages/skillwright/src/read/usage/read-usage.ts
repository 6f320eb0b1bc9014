// Reads the usage of a skill from its log, and lists the skills that have one.

import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { compareBytes, namesIn, realPath } from '../../base/files/index.ts';
import { buildRecord, isSkill, listReadingPlaces, mayBeSkill } from '../../skill/skill/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import { readLog } from './access-log.ts';
import { conditionOf, type UsageFilter } from './usage-filter.ts';
import type { UsageData, UsageGroup, UsageRow } from './usage-group.ts';
import { distinctQuery, groupQueries, periodQuery, totalsQuery } from './usage-queries.ts';

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
  /** Tokens of the whole skill; only called for the summary and the days. */
  tokens(): number;
  /** Current sections of the skill; only called for the sections. */
  sections(): readonly { file: string; section: string }[];
  /** Current quiz questions, in order; only called for the quiz. */
  questions(): readonly string[];
}

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
  if (group !== 'sections') return { period, data };
  return { period, data: withUnread(data as UsageRow<'sections'>[], question.sections()) };
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
export const noUsage: UsageRow<'summary'> = {
  total_accesses: 0,
  unique_sections: 0,
  unique_files: 0,
  error_count: 0,
  tokens_served: 0,
  tokens_saved: 0,
};

function readSummary(database: DatabaseSync, dir: string, { filter, tokens }: UsageQuestion): Read {
  const whole = tokens();
  const { condition, span } = readOwn(database, dir, {
    filter,
    read: ({ where, values }) => database.prepare(totalsQuery(where)).get(whole, ...values),
  });
  const { where, values } = condition;
  const distinct = database.prepare(distinctQuery(where)).get(...values);
  const { first, last, low_path, high_path, ...totals } = span;
  return { first, last, data: { ...noUsage, ...totals, ...distinct } };
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
  const whole = group === 'days' ? [tokens()] : [];
  const rows = database.prepare(groupQueries[group](condition.where)).all(...whole, ...condition.values);
  return { first: span.first, last: span.last, data: rows.map((row) => ({ ...row })) as UsageData };
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

/** Directories of other skills with rows in a log. */
export function otherSkills(database: DatabaseSync, dir: string): string[] {
  return database
    .prepare('SELECT DISTINCT skill_path AS path FROM access_log')
    .all()
    .map(({ path }) => String(path))
    .filter((path) => path !== dir && mayBeSkill(path));
}

function withQuestions(rows: readonly UsageRow<'quiz'>[], texts: readonly string[]): UsageRow<'quiz'>[] {
  return rows.map((row) => ({ ...row, text: texts[row.question - 1] ?? null }));
}

/** Read sections first, then the unread ones, which the author may shorten or promote. */
function withUnread(
  read: readonly UsageRow<'sections'>[],
  present: readonly { file: string; section: string }[],
): UsageRow<'sections'>[] {
  const keyOf = (row: { file: string; section: string }) => JSON.stringify([row.file, row.section]);
  const known = new Set(read.map(keyOf));
  const unread = new Map(present.filter((row) => !known.has(keyOf(row))).map((row) => [keyOf(row), row]));
  const rows = [...unread.values()].map(({ file, section }) => ({ file, section, count: 0 }));
  rows.sort((a, b) => compareBytes(a.file, b.file) || compareBytes(a.section, b.section));
  return [...read, ...rows];
}

/** One listed skill. */
export interface ListedSkill extends UsedSkill {
  readonly name: string;
}

/**
 * The skills of the project's and the user's runtime directories, and those read where they lie. A skill that was never
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
