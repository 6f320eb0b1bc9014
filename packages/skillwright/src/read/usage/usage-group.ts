// Groups of usage statistics, and the rows of each.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';

/** The definition, for every place that shows the number. */
export const TOKENS_SAVED =
  'What a host without skc would have put into the context, once per session (SKILL.md and the files that were opened), minus what skc served';

const integer = () => z.number().int();

/** Row schemas by group; `summary` has a single row. Created lazily, because aggregating needs none. */
export const usageRows = {
  get summary() {
    return z.strictObject({
      total_accesses: integer(),
      unique_sections: integer().describe('Distinct sections read'),
      unique_files: integer().describe('Distinct files read, whole or in part'),
      error_count: integer(),
      tokens_served: integer().describe('Estimated tokens of the answers'),
      tokens_saved: integer().describe(TOKENS_SAVED),
    });
  },
  get sections() {
    return z.strictObject({
      file: z.string(),
      section: z.string(),
      anchor: z.string().nullable().describe('Tells headings with the same text apart'),
      count: integer().describe('How often any of its own lines were served'),
      asked: integer().describe('How often it was asked for; otherwise it came along with another text'),
      lines: integer().describe('Its own lines that were served'),
    });
  },
  get files() {
    return z.strictObject({ file: z.string(), count: integer() });
  },
  get commands() {
    return z.strictObject({
      command: z.string(),
      count: integer(),
      error_count: integer(),
      tokens_served: integer(),
      duration_ms: z.number().describe('Mean'),
    });
  },
  get projects() {
    return z.strictObject({
      project: z.string().describe('Working directory'),
      count: integer(),
      error_count: integer(),
      tokens_served: integer(),
      last_access: z.string(),
    });
  },
  get errors() {
    return z.strictObject({
      error: z.string(),
      command: z.string(),
      subject: z.string().nullable().describe('The requested section, file, directory or query'),
      count: integer(),
      last_access: z.string(),
    });
  },
  get search() {
    return z.strictObject({
      query: z.string(),
      count: integer(),
      zero_results: integer().describe('Searches that found nothing'),
      last_access: z.string(),
    });
  },
  get quiz() {
    return z.strictObject({
      question: integer().describe('Number of the question in the skill'),
      text: z.string().nullable().describe('The current question; null when there is none with this number'),
      asked: integer().describe('Number of answers'),
      failed: integer().describe('Number of wrong answers'),
      rate: z.number().describe('Percentage of wrong answers'),
      attempts: integer().describe('Finished attempts at its quiz'),
      passes: integer().describe('Passed attempts at its quiz'),
    });
  },
  get run() {
    return z.strictObject({
      run_id: z.string().describe('SKC_RUN_ID of the accesses, or an id that skc generated'),
      count: integer(),
      error_count: integer(),
      tokens_served: integer(),
      first_access: z.string(),
      last_access: z.string(),
    });
  },
  get days() {
    return z.strictObject({
      day: z.string().describe('In UTC'),
      count: integer(),
      error_count: integer(),
      tokens_served: integer(),
      tokens_saved: integer().describe('Of the sessions that began on this day'),
    });
  },
} as const;

/** Name of a group. */
export type UsageGroup = keyof typeof usageRows;

/** A row of a group. */
export type UsageRow<Group extends UsageGroup> = z.output<(typeof usageRows)[Group]>;

/** Result of a group: one row for the summary, a list for the rest. */
export type UsageData<Group extends UsageGroup = UsageGroup> = {
  [G in Group]: G extends 'summary' ? UsageRow<G> : UsageRow<G>[];
}[Group];

/** Every group, in help order. */
export const usageGroups = Object.keys(usageRows) as UsageGroup[];

/** The group of this name; E030 when there is none. */
export function readUsageGroup(name: string): UsageGroup {
  const group = usageGroups.find((known) => known === name);
  if (group !== undefined) return group;
  throw SkillwrightError.of('E030', { query: name }, { help: `use one of: ${usageGroups.join(', ')}` });
}
