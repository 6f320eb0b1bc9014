// The statistics of one skill or of all, from their logs.

import { diagnosticOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import { compareBytes } from '../../base/files/index.ts';
import { outlineSkill } from '../../read/gateway/index.ts';
import {
  type ListedSkill,
  listUsedSkills,
  measureSkill,
  pruneLog,
  readUsage,
  type Usage,
  type UsageFilter,
  type UsageGroup,
  type UsageRow,
} from '../../read/usage/index.ts';
import { hasSkillFile } from '../../skill/places/index.ts';
import { type ClosedGate, readQuizzes } from '../../skill/quiz/index.ts';
import type { CommandContext } from './command-context.ts';
import { locateSkill } from './locate-skill.ts';
import { gateOf } from './quiz-gate.ts';
import type { RankedSkill, SkillRows, Statistics, StatisticsData } from './statistics.ts';

/** The skills a call is about, and who hears of one whose log cannot be read while there are others. */
export interface MeantSkills {
  readonly skills: readonly ListedSkill[];
  unreadable(error: unknown): void;
}

/** One skill, or without a word all that have a runtime directory. E001 when there is no such skill. */
export async function skillsMeant(word: string | undefined, context: CommandContext): Promise<MeantSkills> {
  if (word !== undefined) {
    const { dir, runtime } = await locateSkill(word, context);
    const raise = (error: unknown): never => {
      throw error;
    };
    const { basename } = await import('node:path');
    return { skills: [{ name: basename(runtime), dir, runtime }], unreadable: raise };
  }
  const report = (error: unknown): void => {
    if (!(error instanceof SkillwrightError)) throw error;
    context.report(diagnosticOf(error));
  };
  return { skills: listUsedSkills(context, report), unreadable: report };
}

/** The gates that are closed, by the directory of their skill: their headings are nobody's to see. */
export async function closedGates(
  { skills }: MeantSkills,
  input: { readonly author: boolean },
  context: CommandContext,
): Promise<ReadonlyMap<string, ClosedGate>> {
  const gates = new Map<string, ClosedGate>();
  for (const { dir } of skills) {
    const gate = hasSkillFile(dir) ? await gateOf(dir, input, context) : undefined;
    if (gate !== undefined) gates.set(dir, gate);
  }
  return gates;
}

/** What is asked about the skills. */
export interface UsageRequest {
  readonly group: UsageGroup;
  readonly filter: UsageFilter;
  readonly all: boolean;
  readonly gates: ReadonlyMap<string, ClosedGate> | undefined;
}

/** Adds up. For all skills, the most used come first. */
export function collectUsage(meant: MeantSkills, { group, filter, all, gates }: UsageRequest): Statistics {
  const each = forEachSkill(meant, (skill) => {
    const present = () =>
      outlineSkill(skill.dir, { maxLevel: 6 }).filter(gates?.get(skill.dir)?.allowsSection ?? (() => true));
    const usage = readUsage(skill, {
      group,
      filter,
      tokens: () => measureSkill(skill.dir),
      sections: () => present().map(({ file, text }) => ({ file, section: text })),
      questions: () => questionsOf(skill.dir),
    });
    return gates?.has(skill.dir) ? withoutSections(usage, present()) : usage;
  });
  const times = each
    .flatMap(({ result: { period } }) => [period.start, period.end])
    .filter((time) => time !== null);
  times.sort();
  return {
    ...headOf(meant, all),
    query: group,
    filters: { ...filter, projects: [...filter.projects] },
    period: { start: times[0] ?? null, end: times.at(-1) ?? null },
    data: all ? dataOfAll(each, group) : each[0]!.result.data,
  };
}

/** Deletes what is older, and says how much that was. */
export function collectPruned(
  meant: MeantSkills,
  { before, all }: { before: string; all: boolean },
): Statistics {
  const each = forEachSkill(meant, (skill) => pruneLog(skill, before));
  return {
    ...headOf(meant, all),
    query: 'prune',
    filters: { since: null, until: before, projects: [] },
    period: { start: null, end: null },
    data: all ? each.map(({ skill, result }) => ({ ...pathsOf(skill), ...result })) : each[0]!.result,
  };
}

/** Sections that others have read before the gate closed are not told either. */
function withoutSections(usage: Usage, present: readonly { file: string; text: string }[]): Usage {
  const rows = usage.data as UsageRow<'sections'>[];
  const isPresent = (row: UsageRow<'sections'>) =>
    present.some(({ file, text }) => file === row.file && text === row.section);
  return { ...usage, data: rows.filter(isPresent) };
}

function questionsOf(dir: string): string[] {
  try {
    const { quizzes = [] } = readQuizzes(dir);
    return quizzes.flatMap(({ questions }) => questions.map(({ question }) => question));
  } catch (error) {
    // Gone since it was used.
    if (error instanceof SkillwrightError) return [];
    throw error;
  }
}

interface OfSkill<Result> {
  readonly skill: ListedSkill;
  readonly result: Result;
}

function forEachSkill<Result>(
  { skills, unreadable }: MeantSkills,
  work: (skill: ListedSkill) => Result,
): OfSkill<Result>[] {
  return skills.flatMap((skill) => {
    try {
      return [{ skill, result: work(skill) }];
    } catch (error) {
      unreadable(error);
      return [];
    }
  });
}

const pathsOf = ({ name, dir }: ListedSkill) => ({ skill: name, skill_path: dir });

const headOf = ({ skills }: MeantSkills, all: boolean) =>
  all ? { skill: null, skill_path: null } : pathsOf(skills[0]!);

function dataOfAll(each: readonly OfSkill<Usage>[], group: UsageGroup): StatisticsData {
  if (group !== 'summary')
    return each.map(({ skill, result }) => ({ ...pathsOf(skill), data: result.data as SkillRows['data'] }));
  const ranked: RankedSkill[] = each.map(({ skill, result }) => ({
    ...pathsOf(skill),
    ...(result.data as UsageRow<'summary'>),
    last_access: result.period.end,
  }));
  return ranked.sort(
    (a, b) =>
      b.total_accesses - a.total_accesses ||
      compareBytes(a.skill, b.skill) ||
      compareBytes(a.skill_path, b.skill_path),
  );
}
