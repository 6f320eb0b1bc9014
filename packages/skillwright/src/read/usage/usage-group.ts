// The ways in which accesses are added up, and what each gives.

import * as z from 'zod';
import { SkillwrightError } from '../../base/diagnostics/index.ts';

const integer = () => z.number().int();

/** What one row is, by group; `summary` has a single one. Each is made when it is asked for: adding up needs none. */
export const usageRows = {
  get summary() {
    return z.strictObject({
      total_accesses: integer(),
      unique_sections: integer().describe('Different sections that were read'),
      unique_files: integer().describe('Different files that were read, whole or in part'),
      error_count: integer(),
      tokens_served: integer().describe('What the answers cost a model, estimated'),
      tokens_saved: integer().describe('What loading the whole skill at each access would have cost more'),
    });
  },
  get sections() {
    return z.strictObject({ file: z.string(), section: z.string(), count: integer() });
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
      subject: z.string().nullable().describe('The section, file, directory or query that was asked for'),
      count: integer(),
      last_access: z.string(),
    });
  },
  get search() {
    return z.strictObject({
      query: z.string(),
      count: integer(),
      zero_results: integer().describe('How often it found nothing'),
      last_access: z.string(),
    });
  },
  get quiz() {
    return z.strictObject({
      question: integer().describe('Its number in the skill'),
      text: z
        .string()
        .nullable()
        .describe('The question as it is now; null when there is none of this number'),
      asked: integer().describe('How often it was answered'),
      failed: integer().describe('How often the answer was wrong'),
      rate: z.number().describe('Per cent of the answers that were wrong'),
      attempts: integer().describe('Attempts at its quiz that were finished'),
      passes: integer().describe('Attempts at its quiz that were passed'),
    });
  },
  get run() {
    return z.strictObject({
      run_id: z.string().describe('SKC_RUN_ID of the accesses, or one that skc made up'),
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
    });
  },
} as const;

/** A way of adding up. */
export type UsageGroup = keyof typeof usageRows;

/** A row of a group. */
export type UsageRow<Group extends UsageGroup> = z.output<(typeof usageRows)[Group]>;

/** What a group gives: one row for the summary, a list for the others. */
export type UsageData<Group extends UsageGroup = UsageGroup> = {
  [G in Group]: G extends 'summary' ? UsageRow<G> : UsageRow<G>[];
}[Group];

/** Every group, in the order help shows them. */
export const usageGroups = Object.keys(usageRows) as UsageGroup[];

/** The group of this name; E030 when there is none. */
export function readUsageGroup(name: string): UsageGroup {
  const group = usageGroups.find((known) => known === name);
  if (group !== undefined) return group;
  throw SkillwrightError.of('E030', { query: name }, { help: `use one of: ${usageGroups.join(', ')}` });
}
