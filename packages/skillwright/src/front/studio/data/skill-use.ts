// How one skill is used, from its access log.

import { diagnosticOf, SkillwrightError } from '../../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../../read/catalog/index.ts';
import {
  countAccesses,
  type DayCount,
  measureSkill,
  readTogether,
  type UsageGroup,
  type UsageRow,
} from '../../../read/usage/index.ts';
import type { Reach } from '../../../skill/judge/index.ts';
import { mayBeSkill } from '../../../skill/skill/index.ts';
import { commandTable, parseInput, runCommand } from '../../commands/index.ts';
import type { SkillView } from '../views/skill-view.ts';
import { createPause } from './create-pause.ts';
import { lastDays } from './read-skills.ts';
import type { StudioState } from './studio-state.ts';

/** Rows of each list. */
const MAX_ROWS = 50;

/** Use of a skill. */
export interface SkillUse {
  readonly view: Pick<SkillView, 'usage' | 'emptySearches' | 'errors' | 'quiz' | 'together'>;
  sectionReads(file: string, section: string): number;
  fileReads(file: string): number;
  readonly notes: readonly string[];
}

/** Reads the use of a skill with `skc stats`. A log that cannot be read is a note. */
export async function readSkillUse(
  record: SkillRecord,
  { reach }: { reach: Reach },
  state: StudioState,
): Promise<SkillUse> {
  const { facts, context } = await state.look();
  const { runtime } = await facts.of(record);
  const { home } = context.workspace;
  const notes: string[] = [];
  const attemptLog = async <Result>(
    read: () => Result | Promise<Result>,
    otherwise: Result,
  ): Promise<Result> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof SkillwrightError)) throw error;
      const { message, help } = diagnosticOf(error);
      const note = `Its access log: ${message}${help === undefined ? '' : `; ${help}`}.`;
      if (!notes.includes(note)) notes.push(note);
      return otherwise;
    }
  };
  const stats = await commandTable.stats.load();
  const ask = <Group extends UsageGroup>(group: Group): Promise<UsageRow<Group>[]> =>
    attemptLog(async () => {
      const input = parseInput(stats.input, { skill: record.dir, group_by: group });
      const { data } = (await runCommand('stats', stats, { input, context: state.front })) as {
        data: unknown;
      };
      return (Array.isArray(data) ? data : [data]) as UsageRow<Group>[];
    }, []);
  const [summary] = await ask('summary');
  const sections = new Map(
    (await ask('sections')).map(({ file, section, count }) => [`${file}\0${section}`, count]),
  );
  const files = new Map((await ask('files')).map(({ file, count }) => [file, count]));
  const empty = (await ask('search')).filter(({ zero_results }) => zero_results > 0);
  const errors = await ask('errors');
  const quiz = await ask('quiz');
  const days = await attemptLog(
    () => countDays(record, { runtime, home }, state),
    new Map<string, DayCount>(),
  );
  const used = { dir: record.dir, runtime, home };
  const together = await attemptLog(() => (reach.isWhole ? readTogether(used, MAX_ROWS) : []), []);
  for (const [rows, what] of [
    [empty, 'search'],
    [errors, 'errors'],
  ] as const)
    if (rows.length > MAX_ROWS)
      notes.push(
        `${rows.length - MAX_ROWS} rows are left out; 'skc stats ${record.name} --group-by ${what}' lists all.`,
      );
  const now = state.front.now();
  return {
    notes,
    sectionReads: (file, section) => sections.get(`${file}\0${section}`) ?? 0,
    fileReads: (file) => files.get(file) ?? 0,
    view: {
      usage: {
        accesses: summary?.total_accesses ?? 0,
        errors: summary?.error_count ?? 0,
        tokensServed: summary?.tokens_served ?? 0,
        tokensSaved: summary?.tokens_saved ?? 0,
        served: lastDays(now, (day) => days.get(day)?.tokensServed ?? 0),
        saved: lastDays(now, (day) => days.get(day)?.tokensSaved ?? 0),
      },
      emptySearches: empty
        .slice(0, MAX_ROWS)
        .map(({ query, zero_results, last_access }) => ({ query, count: zero_results, last: last_access })),
      errors: errors.slice(0, MAX_ROWS).map(({ error, command, subject, count, last_access }) => ({
        code: error,
        command,
        // A locked skill keeps its headings to itself, even those read before.
        subject: reach.isWhole ? subject : null,
        count,
        last: last_access,
      })),
      quiz: quiz.map(({ question, text, asked, failed }) => ({
        question: text ?? `Question ${question}`,
        asked,
        failed,
      })),
      together: together.map(({ a, b, runs }) => ({ a: titleOf(a), b: titleOf(b), runs })),
    },
  };
}

const titleOf = ({ file, section }: { file: string; section: string }) =>
  file === 'SKILL.md' ? section : `${section} (${file})`;

/** Tokens of each of the last days. */
async function countDays(
  { dir }: SkillRecord,
  place: { runtime: string; home: string },
  state: StudioState,
): Promise<Map<string, DayCount>> {
  const [first] = lastDays(state.front.now(), () => 0);
  const days = new Map<string, DayCount>();
  const size = measureSkill(dir, place);
  const pause = createPause();
  for (let after = { first: 0, last: 0 }; ; ) {
    const step = countAccesses(place, { after, tokens: () => size, since: first!.label });
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
