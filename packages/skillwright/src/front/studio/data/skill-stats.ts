// The statistics of one skill, as `skc stats` gives them.

import { attempt, diagnosticOf, SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';
import type { OutlineHeading } from '../../../read/gateway/index.ts';
import { createFileMeasure, readUsage, type UsageData } from '../../../read/usage/index.ts';
import { readQuizzes } from '../../../skill/quiz/index.ts';
import type { StudioState } from './studio-state.ts';
import type { Look } from './take-look.ts';
import { lookOfLog, type TimeRange } from './usage-counts.ts';

const groups = ['sections', 'files', 'search', 'errors', 'quiz'] as const;
type Group = (typeof groups)[number];

/** The data of these groups. */
export type SkillStats = { readonly [Name in Group]: UsageData<Name> } & {
  /** Why the log cannot be read. */
  readonly problem?: string;
};

const noStats: SkillStats = { sections: [], files: [], search: [], errors: [], quiz: [] };

/** Reads the statistics of a skill in a range of time. */
export async function readSkillStats(
  record: SkillRecord,
  { range, headings, look }: { range: TimeRange; headings: readonly OutlineHeading[]; look: Look },
  state: StudioState,
): Promise<SkillStats> {
  const { runtime } = await look.facts.of(record);
  const since = range.from === '' ? null : `${range.from}:00:00.000Z`;
  return state.stats(record, `${lookOfLog(runtime)} ${record.digest} ${since}`, () => {
    const used = { dir: record.dir, runtime, home: look.context.workspace.home };
    const tokens = createFileMeasure(used);
    const dataOf = (group: Group) =>
      readUsage(used, {
        group,
        filter: { since, until: null, projects: [] },
        tokens,
        sections: () => headings,
        questions: () => questionsOf(record.dir),
      }).data;
    try {
      return { ...noStats, ...Object.fromEntries(groups.map((group) => [group, dataOf(group)])) };
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      const { message, help } = diagnosticOf(error);
      return { ...noStats, problem: `Its access log: ${message}${help === undefined ? '' : `; ${help}`}.` };
    }
  });
}

function questionsOf(dir: string): string[] {
  const { quizzes = [] } = attempt(() => readQuizzes(dir)) ?? {};
  return quizzes.flatMap(({ questions }) => questions.map(({ question }) => question));
}
