// The statistics of one skill, as `skc stats` gives them.

import { attempt, diagnosticOf, SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';
import { noUsage, readTogether, readUsage, type UsageData } from '../../../read/usage/index.ts';
import { readQuizzes } from '../../../skill/quiz/index.ts';
import type { StudioState } from './studio-state.ts';
import type { Look } from './take-look.ts';
import { lastDays, lookOfLog } from './usage-counts.ts';

const groups = ['summary', 'sections', 'files', 'search', 'errors', 'quiz', 'days'] as const;
type Group = (typeof groups)[number];

/** The data of these groups, and the sections agents read in the same run, most often first. */
export type SkillStats = { readonly [Name in Group]: UsageData<Name> } & {
  readonly together: ReturnType<typeof readTogether>;
  /** Why the log cannot be read. */
  readonly problem?: string;
};

/** Pairs of sections. */
const MAX_PAIRS = 200;

const noStats: SkillStats = {
  summary: noUsage,
  ...{ sections: [], files: [], search: [], errors: [], quiz: [], days: [], together: [] },
};

/** Reads the statistics of a skill of this many tokens; the days are those of the charts. */
export async function readSkillStats(
  record: SkillRecord,
  { size, look }: { size: number; look: Look },
  state: StudioState,
): Promise<SkillStats> {
  const { runtime } = await look.facts.of(record);
  const [since = null] = lastDays(state.front.now());
  return state.stats(record, `${lookOfLog(runtime)} ${size} ${since}`, () => {
    const used = { dir: record.dir, runtime, home: look.context.workspace.home };
    const dataOf = (group: Group) =>
      readUsage(used, {
        group,
        filter: { since: group === 'days' ? since : null, until: null, projects: [] },
        tokens: () => size,
        sections: () => [],
        questions: () => questionsOf(record.dir),
      }).data;
    try {
      const read = Object.fromEntries(groups.map((group) => [group, dataOf(group)]));
      return { ...noStats, ...read, together: readTogether(used, MAX_PAIRS) };
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
