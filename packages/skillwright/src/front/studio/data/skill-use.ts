// How one skill is used, from its access log.

import { attempt, diagnosticOf, SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';
import {
  countAccesses,
  type DayCount,
  readTogether,
  readUsage,
  type UsageGroup,
  type UsageRow,
} from '../../../read/usage/index.ts';
import type { Reach } from '../../../skill/judge/index.ts';
import { readQuizzes } from '../../../skill/quiz/index.ts';
import { mayBeSkill } from '../../../skill/skill/index.ts';
import type { SkillView } from './read-skill.ts';
import { lastDays } from './read-skills.ts';
import type { Look, StudioState } from './studio-state.ts';
import { createPause, lookOfLog } from './usage-counts.ts';

/** Rows of each list. */
const MAX_ROWS = 50;

type Pair = SkillView['together'][number];

/** Use of a skill, as its log counts it. */
export interface SkillUse {
  readonly summary: UsageRow<'summary'> | undefined;
  /** Reads by file and section. */
  readonly sections: ReadonlyMap<string, number>;
  readonly files: ReadonlyMap<string, number>;
  readonly empty: readonly UsageRow<'search'>[];
  readonly errors: readonly UsageRow<'errors'>[];
  readonly quiz: readonly UsageRow<'quiz'>[];
  readonly together: readonly Pair[];
  readonly days: ReadonlyMap<string, DayCount>;
  /** Why the log cannot be read. */
  readonly problem?: string;
}

/** Key of a section in the counts. */
export const sectionKey = (file: string, section: string): string => `${file}\0${section}`;

/** Reads the use of a skill of this many tokens. A log that cannot be read is a problem in the result. */
export async function readSkillUse(
  record: SkillRecord,
  { size, look }: { size: number; look: Look },
  state: StudioState,
): Promise<SkillUse> {
  const { runtime } = await look.facts.of(record);
  const [from = ''] = lastDays(state.front.now());
  const stamp = `${lookOfLog(runtime)} ${size} ${from}`;
  return state.uses(record, stamp, async () => {
    const used = { dir: record.dir, runtime, home: look.context.workspace.home };
    const ask = <Group extends UsageGroup>(group: Group) =>
      readUsage(used, {
        group,
        filter: { since: null, until: null, projects: [] },
        tokens: () => size,
        sections: () => [],
        questions: () => questionsOf(record.dir),
      }).data as Group extends 'summary' ? UsageRow<Group> : UsageRow<Group>[];
    try {
      return {
        summary: ask('summary'),
        sections: new Map(
          ask('sections').map(({ file, section, count }) => [sectionKey(file, section), count]),
        ),
        files: new Map(ask('files').map(({ file, count }) => [file, count])),
        empty: ask('search').filter(({ zero_results }) => zero_results > 0),
        errors: ask('errors'),
        quiz: ask('quiz'),
        together: readTogether(used, MAX_ROWS).map(({ a, b, runs }) => ({
          a: sectionTitle(a),
          b: sectionTitle(b),
          runs,
        })),
        days: await countDays(used, { size, since: from }),
      };
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      const { message, help } = diagnosticOf(error);
      const problem = `Its access log: ${message}${help === undefined ? '' : `; ${help}`}.`;
      return { ...unused, problem };
    }
  });
}

const unused: SkillUse = {
  summary: undefined,
  sections: new Map(),
  files: new Map(),
  empty: [],
  errors: [],
  quiz: [],
  together: [],
  days: new Map(),
};

function questionsOf(dir: string): string[] {
  const { quizzes = [] } = attempt(() => readQuizzes(dir)) ?? {};
  return quizzes.flatMap(({ questions }) => questions.map(({ question }) => question));
}

/** The part of the page about use. */
export function showUse(
  use: SkillUse,
  { reach, now }: { reach: Reach; now: Date },
): Pick<SkillView, 'usage' | 'emptySearches' | 'errors' | 'quiz' | 'together'> {
  const { summary, days } = use;
  const labels = lastDays(now);
  return {
    usage: {
      accesses: summary?.total_accesses ?? 0,
      errors: summary?.error_count ?? 0,
      tokensServed: summary?.tokens_served ?? 0,
      tokensSaved: summary?.tokens_saved ?? 0,
      served: labels.map((label) => ({ label, value: days.get(label)?.tokensServed ?? 0 })),
      saved: labels.map((label) => ({ label, value: days.get(label)?.tokensSaved ?? 0 })),
    },
    emptySearches: use.empty
      .slice(0, MAX_ROWS)
      .map(({ query, zero_results, last_access }) => ({ query, count: zero_results, last: last_access })),
    errors: use.errors.slice(0, MAX_ROWS).map(({ error, command, subject, count, last_access }) => ({
      code: error,
      command,
      // A locked skill keeps its headings to itself, even those read before.
      subject: reach.isWhole ? subject : null,
      count,
      last: last_access,
    })),
    quiz: use.quiz.map(({ question, text, asked, failed }) => ({
      question: text ?? `Question ${question}`,
      asked,
      failed,
    })),
    together: reach.isWhole ? use.together : [],
  };
}

/** Sentences about a log that cannot be read, and about rows that are left out. */
export function notesOnUse({ problem, empty, errors }: SkillUse, name: string): string[] {
  const lists = [
    [empty, 'search'],
    [errors, 'errors'],
  ] as const;
  return [
    ...(problem === undefined ? [] : [problem]),
    ...lists
      .filter(([rows]) => rows.length > MAX_ROWS)
      .map(
        ([rows, what]) =>
          `${rows.length - MAX_ROWS} rows are left out; 'skc stats ${name} --group-by ${what}' lists all.`,
      ),
  ];
}

const sectionTitle = ({ file, section }: { file: string; section: string }) =>
  file === 'SKILL.md' ? section : `${section} (${file})`;

/** Tokens of each day since one. */
async function countDays(
  { dir, ...place }: { dir: string; runtime: string; home: string },
  { size, since }: { size: number; since: string },
): Promise<Map<string, DayCount>> {
  const days = new Map<string, DayCount>();
  const pause = createPause();
  for (let after = { first: 0, last: 0 }; ; ) {
    const step = countAccesses(place, { after, tokens: () => size, since });
    for (const count of step.counts) {
      if (count.path !== dir && mayBeSkill(count.path)) continue;
      const known = days.get(count.day);
      days.set(count.day, {
        ...count,
        tokensServed: count.tokensServed + (known?.tokensServed ?? 0),
        tokensSaved: count.tokensSaved + (known?.tokensSaved ?? 0),
      });
    }
    if (!step.hasMore || step.isNew) return days;
    after = step;
    await pause();
  }
}
