// The statistics of one skill or of all, from their logs.

import { basename } from 'node:path';
import { diagnosticOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import { compareBytes, listFiles } from '../../base/files/index.ts';
import type { OutlineHeading } from '../../read/gateway/index.ts';
import {
  createFileMeasure,
  type ListedSkill,
  lastUse,
  listUsedSkills,
  pruneLog,
  readUsage,
  type Usage,
  type UsageFilter,
  type UsageGroup,
  type UsageRow,
} from '../../read/usage/index.ts';
import { type Reach, wholeReach } from '../../skill/judge/index.ts';
import { isSkill } from '../../skill/skill/index.ts';
import type { CommandContext } from './command-context.ts';
import type { RankedRow, SkillRows, Statistics, StatisticsData } from './statistics.ts';

/** A skill with a log, and how much of it may be shown. */
interface MeantSkill extends ListedSkill {
  /** Set while the source exists. */
  reach(files: Iterable<string>): Promise<Reach>;
}

/** The skills of a call, and a callback for logs that cannot be read. */
interface MeantSkills {
  readonly skills: readonly MeantSkill[];
  unreadable(error: unknown): void;
}

/** The skill the input names, or every skill that has a runtime directory and may be read. */
export async function skillsMeant(context: CommandContext, author: boolean): Promise<MeantSkills> {
  const { skill, workspace, access } = context;
  if (skill !== undefined) {
    const raise = (error: unknown): never => {
      throw error;
    };
    const runtime = await skill.runtime();
    const named = {
      name: basename(runtime),
      dir: skill.dir,
      runtime,
      home: workspace.home,
      reach: skill.reach,
    };
    return { skills: [named], unreadable: raise };
  }
  const report = (error: unknown): void => {
    if (!(error instanceof SkillwrightError)) throw error;
    context.report(diagnosticOf(error));
  };
  const skills: MeantSkill[] = [];
  for (const listed of listUsedSkills(workspace, report)) {
    const opened = await openUsed(listed.dir);
    if (opened !== undefined) skills.push({ ...listed, reach: opened.reach });
  }
  return { skills, unreadable: report };

  /** Undefined for a skill that may not be read. Of a deleted skill only the log is left, and that is the user's. */
  async function openUsed(dir: string): Promise<Pick<MeantSkill, 'reach'> | undefined> {
    if (!isSkill(dir)) return access.by === 'user' ? { reach: async () => wholeReach } : undefined;
    try {
      return await access.openAt(dir, { operation: 'inspect', author });
    } catch (error) {
      if (error instanceof SkillwrightError) return undefined;
      throw error;
    }
  }
}

/** When the skill was last used in a period; a build does not count as a use. */
function lastUsed(skill: ListedSkill, end: string | null): string | null {
  const last = lastUse(skill);
  if (end === null || last === null) return null;
  return last < end ? last : end;
}

/** A question about the skills. */
interface UsageRequest {
  readonly group: UsageGroup;
  readonly filter: UsageFilter;
  readonly all: boolean;
  /** Maximum number of rows for each skill, or for the ranking. */
  readonly limit?: number | undefined;
}

/** Adds up the logs. Over all skills, the most used come first. */
export async function collectUsage(
  meant: MeantSkills,
  { group, filter, all, limit = Number.POSITIVE_INFINITY }: UsageRequest,
): Promise<Statistics> {
  const each = await forEachSkill(meant, async (skill) => {
    const headings = group === 'sections' ? await headingsOf(skill.dir) : [];
    const questions = group === 'quiz' ? await questionsOf(skill.dir) : [];
    const reach =
      group === 'sections' || group === 'files' ? await skill.reach(listFiles(skill.dir)) : wholeReach;
    const present = () => headings.filter(reach.allowsSection);
    const usage = readUsage(skill, {
      group,
      filter,
      tokens: createFileMeasure(skill),
      sections: present,
      questions: () => questions,
    });
    if (reach.isWhole) return usage;
    return group === 'files' ? withoutFiles(usage, reach) : withoutSections(usage, present());
  });
  const times = each
    .flatMap(({ result: { period } }) => [period.start, period.end])
    .filter((time) => time !== null);
  times.sort();
  const { data, leftOut } = cutRows(all ? dataOfAll(each, group) : each[0]!.result.data, {
    limit,
    isNested: all && group !== 'summary',
  });
  return {
    ...headOf(meant, all),
    query: group,
    filters: { ...filter, projects: [...filter.projects] },
    period: { start: times[0] ?? null, end: times.at(-1) ?? null },
    ...(leftOut === 0 ? {} : { left_out: leftOut }),
    data,
  };
}

/** The first rows, and the number left out. */
function cutRows(
  data: StatisticsData,
  { limit, isNested }: { limit: number; isNested: boolean },
): { data: StatisticsData; leftOut: number } {
  if (!Array.isArray(data)) return { data, leftOut: 0 };
  if (!isNested)
    return { data: data.slice(0, limit) as StatisticsData, leftOut: Math.max(0, data.length - limit) };
  const skills = data as SkillRows[];
  const leftOut = skills.reduce((sum, { data: rows }) => sum + Math.max(0, rows.length - limit), 0);
  const cut = skills.map((skill) => ({ ...skill, data: skill.data.slice(0, limit) as SkillRows['data'] }));
  return { data: cut, leftOut };
}

/** Deletes older rows and returns how many. */
export async function collectPruned(
  meant: MeantSkills,
  { before, all, dryRun }: { before: string; all: boolean; dryRun: boolean },
): Promise<Statistics> {
  const each = await forEachSkill(meant, async (skill) => pruneLog(skill, before, { dryRun }));
  return {
    ...headOf(meant, all),
    query: 'prune',
    filters: { since: null, until: before, projects: [] },
    period: { start: null, end: null },
    data: all ? each.map(({ skill, result }) => ({ ...pathsOf(skill), ...result })) : each[0]!.result,
  };
}

/** Hides locked sections, even those read before the gate closed. */
function withoutSections(usage: Usage, present: readonly { file: string; text: string }[]): Usage {
  const rows = usage.data as UsageRow<'sections'>[];
  const isPresent = (row: UsageRow<'sections'>) =>
    present.some(({ file, text }) => file === row.file && text === row.section);
  return { ...usage, data: rows.filter(isPresent) };
}

/** Hides files that may not be named. */
function withoutFiles(usage: Usage, reach: Reach): Usage {
  const rows = usage.data as UsageRow<'files'>[];
  return { ...usage, data: rows.filter(({ file }) => reach.allowsName(file)) };
}

/** Imported here, because loading the Markdown reader takes longer than adding up most statistics. */
async function headingsOf(dir: string): Promise<readonly OutlineHeading[]> {
  const { outlineSkill } = await import('../../read/gateway/outline-skill.ts');
  return outlineSkill(dir, { maxLevel: 6 }).headings;
}

async function questionsOf(dir: string): Promise<string[]> {
  const { readQuizzes } = await import('../../skill/quiz/read-quizzes.ts');
  try {
    const { quizzes = [] } = readQuizzes(dir);
    return quizzes.flatMap(({ questions }) => questions.map(({ question }) => question));
  } catch (error) {
    // Deleted since it was used.
    if (error instanceof SkillwrightError) return [];
    throw error;
  }
}

interface OfSkill<Result> {
  readonly skill: ListedSkill;
  readonly result: Result;
}

async function forEachSkill<Result>(
  { skills, unreadable }: MeantSkills,
  work: (skill: MeantSkill) => Promise<Result>,
): Promise<OfSkill<Result>[]> {
  const done: OfSkill<Result>[] = [];
  for (const skill of skills) {
    try {
      done.push({ skill, result: await work(skill) });
    } catch (error) {
      unreadable(error);
    }
  }
  return done;
}

const pathsOf = ({ name, dir }: ListedSkill) => ({ skill: name, skill_path: dir });

const headOf = ({ skills }: MeantSkills, all: boolean) =>
  all ? { skill: null, skill_path: null } : pathsOf(skills[0]!);

function dataOfAll(each: readonly OfSkill<Usage>[], group: UsageGroup): StatisticsData {
  if (group !== 'summary')
    return each.map(({ skill, result }) => ({ ...pathsOf(skill), data: result.data as SkillRows['data'] }));
  const ranked: RankedRow[] = each.map(({ skill, result }) => ({
    ...pathsOf(skill),
    ...(result.data as UsageRow<'summary'>),
    last_access: lastUsed(skill, result.period.end),
  }));
  return ranked.sort(
    (a, b) =>
      b.total_accesses - a.total_accesses ||
      compareBytes(a.skill, b.skill) ||
      compareBytes(a.skill_path, b.skill_path),
  );
}
